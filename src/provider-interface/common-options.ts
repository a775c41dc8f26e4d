/** Every type of provider in the interface. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | WebAuthnProviderType

export type WebAuthnProviderType = 'webauthn'

/** The options common to all types of providers. */
export interface CommonProviderOptions {
  /** Unique among the configured providers, and part of the provider's URLs. */
  id: string
  /** The name on the sign-in page's button. */
  name: string
  type: ProviderType
}

/** A setting of the environment that only deployments with a certain provider have. */
export interface LocalSetting {
  name: `AUTH_${string}`
  isRequired: boolean
  /** Where its value is found, for operators who are asked for it. */
  hint?: string
  /** Whether an example value must be rejected. */
  isSecret?: boolean
  /** Whether a service with a public address rejects it. */
  isForDevelopment?: boolean
  /** Tests the value, such as a RegExp, and explains what is expected: "must be …". */
  format?: readonly [pattern: { test(value: string): boolean }, expected: string]
}
