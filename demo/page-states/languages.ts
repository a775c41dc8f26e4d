import { createLanguages } from '../../src/core/messages/languages.ts'
import admin from '../../src/features/admin/texts.json.txt'
import agents from '../../src/features/agents/texts.json.txt'
import credentials from '../../src/features/credentials/texts.json.txt'
import device from '../../src/features/device/texts.json.txt'
import deviceBound from '../../src/features/device-bound/texts.json.txt'
import email from '../../src/features/email/texts.json.txt'
import passkeys from '../../src/features/passkeys/texts.json.txt'
import qrSignIn from '../../src/features/qr-sign-in/texts.json.txt'
import roles from '../../src/features/roles/texts.json.txt'
import senderConstrained from '../../src/features/sender-constrained/texts.json.txt'
import totp from '../../src/features/totp/texts.json.txt'

/** The texts of all features. */
export const FEATURES = [
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
].map((texts) => ({ texts }))

export const LANGUAGES = createLanguages({}, FEATURES)
