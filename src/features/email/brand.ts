import type { Theme } from '../../core/config/theme.ts'
import { brandColorOf } from '../../core/pages/theme.ts'
import { readableTextColor, toHex } from '../../foundation/values/css-color.ts'

/** The colour and the logo of messages: those of the app, if it has any, in place of the theme's. */
export interface Brand {
  color: string
  textColor: string
  logo: string | undefined
}

export function resolveBrand(
  theme: Theme,
  app: { brand_color?: string | undefined; logo_uri?: string | undefined } = {},
): Brand {
  const color = brandColorOf(theme, app.brand_color)
  const { logo } = theme
  const ownLogo = typeof logo === 'string' ? logo : logo?.light
  return {
    color: toHex(color),
    textColor: toHex(readableTextColor(color)),
    logo: app.logo_uri ?? ownLogo,
  }
}
