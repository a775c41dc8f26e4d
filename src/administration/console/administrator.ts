import type { AppContext } from '../../core/http/app-env.ts'

/** A signed-in administrator. */
export interface Administrator {
  id: string
  name: string
  role: string
  /** What the role allows, as scopes of the admin API. */
  scopes: readonly string[]
  /** The sections of the console that this deployment has. */
  sections: readonly ConsoleLink[]
  /** The URL of the documentation site, if the deployment names one. */
  documentation: string | undefined
}

/** A section of the console, as every page links to it. */
export interface ConsoleLink {
  /** Its path below `/admin`. */
  id: string
  label: string
  /** The path of an SVG image of 24 × 24 units, which is drawn with lines. */
  icon: string
  /** Under which heading it is listed; none for what concerns users. */
  group?: 'Apps' | 'Service'
  /** How many there are, if that can be read without a large table. */
  readCount?(c: AppContext): Promise<number>
}

declare module '../../core/http/app-env.ts' {
  interface RequestVariables {
    /** The signed-in administrator, on pages of the console. */
    administrator: Administrator | undefined
  }
}
