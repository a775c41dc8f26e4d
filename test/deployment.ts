import { createApp } from '../src/app.ts'
import type { ReadConfig } from '../src/config/config.ts'
import { validateOptions } from '../src/config/options.ts'
import { createConfigReader } from '../src/config/read-config.ts'
import type { VestibuleOptions } from '../src/config/vestibule-options.ts'
import { options } from '../src/deployment.ts'
import { readEnglish } from '../src/messages/english.ts'

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
