import { en as admin } from './features/admin/texts.ts'
import { en as agents } from './features/agents/texts.ts'
import { en as credentials } from './features/credentials/texts.ts'
import { en as device } from './features/device/texts.ts'
import { en as deviceBound } from './features/device-bound/texts.ts'
import { en as email } from './features/email/texts.ts'
import { en as passkeys } from './features/passkeys/texts.ts'
import { en as qrSignIn } from './features/qr-sign-in/texts.ts'
import { en as roles } from './features/roles/texts.ts'
import { en as senderConstrained } from './features/sender-constrained/texts.ts'
import { en as totp } from './features/totp/texts.ts'

/** The English texts of our features, for translators and for the commands. */
export const featureTexts = {
  admin,
  agents,
  credentials,
  deviceBound,
  device,
  email,
  passkeys,
  qrSignIn,
  roles,
  senderConstrained,
  totp,
}
