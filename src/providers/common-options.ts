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
