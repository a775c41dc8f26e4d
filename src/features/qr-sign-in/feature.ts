import type { ListedFeature } from '../../config/vestibule-options.ts'
import type { Feature } from '../../feature.ts'
import { QR_SETTING } from './qr-setting.ts'
import { qrRoutes } from './routes.ts'
import { qrLinkPart } from './sign-in.tsx'

/** Lets users sign in by scanning a QR code with TikTok's app. */
export function qrSignIn(): ListedFeature {
  const feature: Feature = {
    id: 'qr-sign-in',
    settings: [QR_SETTING],
    routes: () => qrRoutes,
    signInPart: qrLinkPart,
  }
  return feature
}
