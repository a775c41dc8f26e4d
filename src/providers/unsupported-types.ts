import type { CommonProviderOptions, WebAuthnProviderType } from './common-options.ts'

/*
 * Provider types of the interface that this service does not support. The types exist so that a
 * configuration written for them compiles; enabling one is rejected with an explanation.
 */

export type EmailProviderType = 'email'

/** Sign-in with a link in an email. Not supported. */
export interface EmailConfig extends CommonProviderOptions {
  type: EmailProviderType
  from?: string
  maxAge?: number
}

export type EmailUserConfig = Omit<Partial<EmailConfig>, 'options' | 'type'>

export type CredentialsProviderType = 'credentials'

/** One field of a credentials form. */
export interface CredentialInput {
  label?: string
  type?: string
  value?: string
  placeholder?: string
}

/** Sign-in with a user name and password. Not supported. */
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

/** Sign-in with a passkey. Not supported. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType
}
