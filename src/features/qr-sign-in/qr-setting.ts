import * as z from 'zod/mini'
import type { Config } from '../../core/config/config.ts'
import type { ValueSetting } from '../../core/config/feature.ts'
import { readSetting } from '../../define-feature/read-setting.ts'

export const QR_SETTING: ValueSetting<'on' | 'off' | undefined> = {
  name: 'AUTH_TIKTOK_QR',
  schema: z.optional(z.enum(['on', 'off'])),
}

/** Whether users of this provider can scan a QR code. Only TikTok has such an interface. */
export function hasQrSignIn(config: Config, provider: string): boolean {
  return provider === 'tiktok' && readSetting(config, QR_SETTING) === 'on'
}
