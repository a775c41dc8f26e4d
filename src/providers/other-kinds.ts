import type { CommonProviderOptions, WebAuthnProviderType } from './types.ts'

/*
 * Kinds of the provider interface that this service does not run. Their types are here so that a
 * configuration written for them compiles; enabling one is refused, in words.
 */

export type EmailProviderType = 'email'

/** Sign-in by a link in a mail. Not run here. */
export interface EmailConfig extends CommonProviderOptions {
  type: EmailProviderType
  from?: string
  maxAge?: number
}

export type EmailUserConfig = Omit<Partial<EmailConfig>, 'options' | 'type'>

export type CredentialsProviderType = 'credentials'

/** One field of a form for credentials. */
export interface CredentialInput {
  label?: string
  type?: string
  value?: string
  placeholder?: string
}

/** Sign-in by name and password, or the like. Not run here. */
export interface CredentialsConfig<
  Inputs extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  type: CredentialsProviderType
  credentials: Inputs
  authorize: (
    credentials: Partial<Record<keyof Inputs, unknown>>,
    request: Request,
  ) => Promise<unknown>
}

/** Sign-in by a passkey. Not run here. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType
}
