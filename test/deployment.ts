import { createApp } from '../src/core/app.ts'
import type { ReadConfig } from '../src/core/config/config.ts'
import { validateOptions } from '../src/core/config/options.ts'
import { createConfigReader } from '../src/core/config/read-config.ts'
import type { VestibuleOptions } from '../src/core/config/vestibule-options.ts'
import { readEnglish } from '../src/core/messages/english.ts'
import { options } from '../src/deployment.ts'

/** Reads the configuration of the tested deployment with other options. */
export function configReaderWith(changes: Partial<VestibuleOptions>): ReadConfig {
  return createConfigReader(validateOptions({ ...options, ...changes }, readEnglish).declared)
}

/** What the tested deployment declares in code. */
export const { declared } = validateOptions(options, readEnglish)

/** Reads the configuration of the tested deployment. */
export const readConfig = configReaderWith({})

/** The tested deployment, to be called with other bindings or settings. */
export const app = createApp(readConfig, declared)
