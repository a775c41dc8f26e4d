import type { Child } from 'hono/jsx'
import type { MessagesWith } from '../../src/core/messages/messages.ts'
import type { App } from '../../src/core/pages/identity.tsx'
import type { Outcome } from '../../src/core/pages/layout.tsx'
import type { featureTexts } from '../../src/feature-texts.ts'

type FeatureTexts = typeof featureTexts

/** The texts of all features. */
export type AllTexts = FeatureTexts['admin'] &
  FeatureTexts['agents'] &
  FeatureTexts['credentials'] &
  FeatureTexts['device'] &
  FeatureTexts['email'] &
  FeatureTexts['passkeys'] &
  FeatureTexts['qrSignIn'] &
  FeatureTexts['roles'] &
  FeatureTexts['totp']

export type AllMessages = MessagesWith<AllTexts>

/** One page in one state, with invented data. */
export interface PageState {
  /** Identifies it in addresses and in the names of screenshots. */
  name: string
  title: (messages: AllMessages) => string
  render: (messages: AllMessages) => Child
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
  /** Contains the heading, if it has more in it than the title. */
  heading?: Child
  isEnglishOnly?: boolean
}
