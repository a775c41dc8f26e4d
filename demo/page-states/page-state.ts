import type { Child } from 'hono/jsx'
import type { Messages } from '../../src/messages/messages.ts'
import type { App } from '../../src/pages/identity.tsx'
import type { Outcome } from '../../src/pages/layout.tsx'

/** One page in one state, with invented data. */
export interface PageState {
  /** Identifies it in addresses and in the names of screenshots. */
  name: string
  title: (messages: Messages) => string
  render: (messages: Messages) => Child
  app?: App
  /** The colour that the app registered. */
  brandColor?: string | undefined
  isWide?: boolean
  outcome?: Outcome | undefined
  /** Whether browsers leave the page at once. */
  isLeaving?: boolean
  /** The ids of the providers of the deployment, if there are others than usual. */
  providers?: readonly string[]
  /** What a script would change, or the rules of the console. */
  css?: string
  /** What precedes the card. */
  header?: Child
  isEnglishOnly?: boolean
}
