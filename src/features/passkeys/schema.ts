import * as z from 'zod/mini'
import type { ListedLocalProvider } from '../../core/config/feature.ts'
import { LOCAL_OPTIONS } from '../../define-feature/local-options.ts'
import { type Shape, text } from '../../foundation/values/schemas.ts'
import type { WebAuthnConfig } from '../../provider-interface/local-types.ts'

export const passkeySchema = z.strictObject({
  ...LOCAL_OPTIONS,
  enableConditionalUI: z.optional(z.boolean()),
  rpId: z.optional(
    text([
      (host) => /[a-z]$/.test(host) && URL.parse(`https://${host}`)?.hostname === host,
      'must be a host name without a port, such as login.example.com.',
    ]),
  ),
} satisfies Shape<ListedLocalProvider<WebAuthnConfig>>)
