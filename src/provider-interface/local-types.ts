import type { CommonProviderOptions, LocalSetting, WebAuthnProviderType } from './common-options.ts'
import type { Awaitable, BoundedFetch, OAuthProviderButtonStyles, User } from './oauth-types.ts'

/*
 * The provider types of the interface whose users sign in on pages of this service.
 */

interface LocalProviderOptions extends CommonProviderOptions {
  /** Ours: how the button of the sign-in page looks. */
  style?: OAuthProviderButtonStyles
}

export type EmailProviderType = 'email'

/** What `sendVerificationRequest` receives. */
export interface EmailProviderSendVerificationRequestParams {
  /** The normalized address of the recipient. */
  identifier: string
  /** The link of the message. It works only in the browser that requested it. */
  url: string
  expires: Date
  provider: EmailConfig
  /** The six-digit code. */
  token: string
  theme: EmailTheme
  /** The request that the user sent, without its cookies and its body. */
  request: Request
  /** Ours: the message as the built-in senders send it, in the user's language. */
  message: EmailContent
  /** Ours: where the message comes from: `AUTH_<ID>_FROM`, otherwise the option `from`. */
  from: string
  /** Ours: a fetch with a timeout and a size limit that follows no redirects. */
  fetch: BoundedFetch
}

/** What a message can take over from the deployment's theme. */
export interface EmailTheme {
  /** The address of the deployment's logo. */
  logo?: string
}

/** A message without its sender and its recipient. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

/** A message as it is sent. */
export interface OutgoingEmail extends EmailContent {
  /** An address, or a name and an address: `Acme <login@acme.example>`. */
  from: string
  to: string
  /** The same for two requests that must not send the message twice. */
  idempotencyKey: string
}

/** A service that sends email. */
export interface EmailSender {
  /** Its name, for messages to operators. */
  name: string
  settings: readonly LocalSetting[]
  /** The name of its binding, if it has one. */
  binding?: string
  /** Sends one message. Throws if the service did not accept it. */
  send(email: OutgoingEmail, tools: EmailSenderTools): Promise<void>
}

export interface EmailSenderTools {
  /** The settings of the environment, by name. */
  settings: Readonly<Record<string, string>>
  /** The binding that the sender names. */
  binding: unknown
  fetch: BoundedFetch
}

/** Sign-in with a code or a link in an email. */
export interface EmailConfig extends LocalProviderOptions {
  type: EmailProviderType
  /** Where messages come from. The setting `AUTH_<ID>_FROM` takes precedence. */
  from?: string
  /** How long a code and a link are valid, in seconds: at most 600, which is the default. */
  maxAge?: number
  /** Sends the message in code. A deployment has either this or a {@link sender}. */
  sendVerificationRequest?: (params: EmailProviderSendVerificationRequestParams) => Awaitable<void>
  /** Ours: the built-in sender of messages. */
  sender?: EmailSender
  /** Replaces the normalization of addresses. Throws if the text is not an address. */
  normalizeIdentifier?: (identifier: string) => string
  /** Whether a sign-in is linked to a user with the same verified address at another provider. */
  allowDangerousEmailAccountLinking?: boolean
  /** Not supported: a sender reads its key from the environment. */
  apiKey?: never
  /** Not supported: Workers cannot send email by SMTP. */
  server?: never
  /** Not supported: codes have six digits, and are kept in the sealed cookie of the attempt. */
  generateVerificationToken?: never
  /** Not supported: everything is sealed with `AUTH_SECRET`. */
  secret?: never
  options?: EmailUserConfig
}

export type EmailUserConfig = Omit<Partial<EmailConfig>, 'options' | 'type'>

export type CredentialsProviderType = 'credentials'

/** One field of a credentials form. */
export interface CredentialInput {
  label?: string
  /** The type of the input element: `text`, `email`, `password`, `tel`, `number`, `url`. */
  type?: string
  value?: string
  placeholder?: string
  /** What browsers and password managers fill in; derived from the type and the order if absent. */
  autocomplete?: string
}

/** Sign-in with a form whose values the deployment checks, such as a user name and a password. */
export interface CredentialsConfig<
  Inputs extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends LocalProviderOptions {
  type: CredentialsProviderType
  /** The fields of the form. All that are not secret identify the account in limits. */
  credentials: Inputs
  /**
   * Returns the user with these credentials, and nothing if they are wrong or there is no such
   * user. The request has no cookies and no body.
   */
  authorize: (
    credentials: Partial<Record<keyof Inputs, unknown>>,
    request: Request,
  ) => Awaitable<User | null | undefined>
  options?: unknown
}

/** The options of a credentials provider. */
export type CredentialsUserConfig<
  Inputs extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> = Pick<CredentialsConfig<Inputs>, 'credentials' | 'authorize'> &
  Partial<Pick<CredentialsConfig<Inputs>, 'id' | 'name' | 'style'>>

/** Sign-in with a passkey. */
export interface WebAuthnConfig extends LocalProviderOptions {
  type: WebAuthnProviderType
  /**
   * Whether browsers offer passkeys in a field of the sign-in page, besides the button; by default
   * they do.
   */
  enableConditionalUI?: boolean
  /**
   * The host name that passkeys are bound to, by default that of `AUTH_URL`. After a change of the
   * domain, it is the former one.
   */
  rpId?: string
}

export type WebAuthnUserConfig = Omit<Partial<WebAuthnConfig>, 'id' | 'type'>
