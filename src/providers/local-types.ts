import type { CommonProviderOptions, WebAuthnProviderType } from './common-options.ts'
import type { OAuthProviderButtonStyles } from './oauth-types.ts'

/*
 * The provider types of the interface whose users sign in on pages of this service.
 */

/**
 * The code behind one of these types. The function that creates a provider, such as `Email()`, adds it,
 * so that a deployment without the type does not contain its code.
 */
export interface LocalKind {
  readonly type: EmailProviderType | CredentialsProviderType | WebAuthnProviderType
  /** What is wrong with a provider of this type, in complete sentences. */
  problems(provider: CommonProviderOptions): string[]
}

interface LocalProviderOptions extends CommonProviderOptions {
  /** Ours: how the button of the sign-in page looks. */
  style?: OAuthProviderButtonStyles
  /** Ours: set by the function that creates the provider. */
  kind?: LocalKind
}

export type EmailProviderType = 'email'

/** Sign-in with a code or a link in an email. */
export interface EmailConfig extends LocalProviderOptions {
  type: EmailProviderType
  from?: string
  maxAge?: number
  /** Whether a sign-in is linked to a user with the same verified address at another provider. */
  allowDangerousEmailAccountLinking?: boolean
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

/** Sign-in with a form whose values the deployment checks, such as a user name and a password. */
export interface CredentialsConfig<
  Inputs extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends LocalProviderOptions {
  type: CredentialsProviderType
  credentials: Inputs
  authorize: (
    credentials: Partial<Record<keyof Inputs, unknown>>,
    request: Request,
  ) => Promise<unknown>
}

/** Sign-in with a passkey. */
export interface WebAuthnConfig extends LocalProviderOptions {
  type: WebAuthnProviderType
  /** Whether browsers offer passkeys in a field of the sign-in page, besides the button; by default they do. */
  enableConditionalUI?: boolean
}

export type WebAuthnUserConfig = Omit<Partial<WebAuthnConfig>, 'id' | 'type' | 'kind'>
