import type { VestibuleOptions } from './core/config/vestibule-options.ts'
import { admin } from './features/admin/feature.ts'
import { agents } from './features/agents/feature.ts'
import { device } from './features/device/feature.ts'
import { nativeApps } from './features/native-apps/feature.ts'
import { previews } from './features/previews/feature.ts'
import { providerTokens } from './features/provider-tokens/feature.ts'
import { qrSignIn } from './features/qr-sign-in/feature.ts'
import { roles } from './features/roles/feature.ts'
import { senderConstrained } from './features/sender-constrained/feature.ts'
import { webhooks } from './features/webhooks/feature.ts'
import {
  Apple,
  Discord,
  Dropbox,
  Facebook,
  GitHub,
  GitLab,
  Google,
  Instagram,
  Kakao,
  LINE,
  LinkedIn,
  MicrosoftEntraID,
  Naver,
  Oidc,
  Reddit,
  Slack,
  Spotify,
  TikTok,
  Twitch,
  Twitter,
  Yahoo,
  Zoom,
} from './providers/index.ts'

/** What the tokens of users can name. Replace them by those of your apps. */
const ROLES = ['editor', 'author'] as const

/**
 * The deployment of this repository: the most used providers of the catalogue, enabled by their
 * settings. For another one, add its name to the import and to `providers`. `totp()` is not listed,
 * because it costs every sign-in a call of the user's object (decision 106).
 */
export const options: VestibuleOptions = {
  providers: [
    TikTok,
    Apple,
    Discord,
    Dropbox,
    Facebook,
    GitHub,
    GitLab,
    Google,
    Instagram,
    Kakao,
    LINE,
    LinkedIn,
    MicrosoftEntraID,
    Naver,
    Oidc,
    Reddit,
    Slack,
    Spotify,
    Twitch,
    Twitter,
    Yahoo,
    Zoom,
  ],
  features: [
    admin(),
    agents(),
    device(),
    nativeApps(),
    previews(),
    providerTokens(),
    qrSignIn(),
    roles({ names: ROLES }),
    senderConstrained(),
    webhooks(),
  ],
  skipUnconfiguredProviders: true,
}
