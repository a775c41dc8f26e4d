import type { Config } from '../config/config.ts'
import type { Requirement } from './requirement.ts'

declare module '../config/feature.ts' {
  interface Feature {
    /** What `/readyz` checks, besides the bindings. */
    readiness?(env: Env, config: Config): readonly Requirement[]
  }
}
