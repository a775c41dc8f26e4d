import { createApp } from '../src/app.ts'
import { createConfigReader } from '../src/config/config.ts'
import { options } from '../src/deployment.ts'
import { validateOptions } from '../src/options.ts'

/** Reads the configuration of the tested deployment. */
export const readConfig = createConfigReader(validateOptions(options).declared)

/** The tested deployment, to be called with other bindings or settings. */
export const app = createApp(readConfig)
