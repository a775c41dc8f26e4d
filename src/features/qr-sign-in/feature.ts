import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { QR_SETTING } from './qr-setting.ts'
import { qrRoutes } from './routes.ts'
import { qrLinkPart } from './sign-in.tsx'
import texts from './texts.json.txt'

/** Lets users sign in by scanning a QR code with TikTok's app. */
export function qrSignIn(): ListedFeature {
  const feature: Feature = {
    id: 'qr-sign-in',
    texts,
    settings: [QR_SETTING],
    routes: () => qrRoutes,
    signInPart: qrLinkPart,
  }
  return feature
}
