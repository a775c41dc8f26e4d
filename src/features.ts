/* The package's entry point `vestibule-auth/features`. */

export type { AuditSentences } from './administration/audit-sentences.ts'
export type { FeatureBinding, ListedFeature } from './core/config/vestibule-options.ts'
export type { TextsByLanguage } from './core/messages/languages.ts'
export { type Messages, type MessagesWith, type Text, withTexts } from './core/messages/messages.ts'
export type { AccountSection } from './core/pages/account-section.ts'
export { defineFeature } from './define-feature/define-feature.ts'
export { Field } from './define-feature/field.tsx'
export type { UseLimits } from './define-feature/limits.ts'
export type {
  Decision,
  FeatureContext,
  OwnFeature,
  OwnPage,
  OwnPageContent,
  OwnStep,
  PageContext,
  Records,
  StepContext,
  StepProof,
  Submission,
  UnconfirmedMark,
  UserOperation,
} from './define-feature/own-feature.ts'
export { qrCode } from './define-feature/qr-code.ts'
export { featureTexts } from './feature-texts.ts'
export { admin } from './features/admin/feature.ts'
export { agents } from './features/agents/feature.ts'
export { auditExport } from './features/audit-export/feature.ts'
export { device } from './features/device/feature.ts'
export { type DeviceBoundOptions, deviceBound } from './features/device-bound/feature.ts'
export { nativeApps } from './features/native-apps/feature.ts'
export { previews } from './features/previews/feature.ts'
export { providerTokens } from './features/provider-tokens/feature.ts'
export { qrSignIn } from './features/qr-sign-in/feature.ts'
export { type RolesCallbackInput, type RolesOptions, roles } from './features/roles/feature.ts'
export { senderConstrained } from './features/sender-constrained/feature.ts'
export { type TotpOptions, totp } from './features/totp/feature.ts'
export { webhooks } from './features/webhooks/feature.ts'
