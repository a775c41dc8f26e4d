import { inject } from 'vitest'
import { LEVELS, type Level } from './levels.ts'

declare module 'vitest' {
  interface ProvidedContext {
    level: Level
  }
}

/** How much this run repeats; `vitest.config.ts` provides the level. */
export const level = LEVELS[inject('level')]
