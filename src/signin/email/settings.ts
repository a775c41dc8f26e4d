import { settingPrefix } from '../../config/providers.ts'

/** The setting with the address that messages come from. */
export function fromSetting(id: string): `AUTH_${string}` {
  return `${settingPrefix(id)}FROM` as `AUTH_${string}`
}
