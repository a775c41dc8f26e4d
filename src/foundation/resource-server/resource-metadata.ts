/** {@link https://www.rfc-editor.org/rfc/rfc9728#section-2} */
export interface ResourceMetadata {
  resource: string
  authorization_servers: readonly string[]
  bearer_methods_supported: readonly string[]
  scopes_supported?: readonly string[]
  dpop_signing_alg_values_supported?: readonly string[]
  dpop_bound_access_tokens_required?: boolean
  resource_name?: string
  resource_documentation?: string
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** The metadata of an API, with its path and URL, by which clients find the login service. */
export function resourceMetadata(
  [resource = '']: readonly string[],
  issuer: string,
  { metadata, scopes }: { metadata?: Partial<ResourceMetadata>; scopes?: readonly string[] },
): { metadata: ResourceMetadata; path: string; url: string | undefined } {
  const parsed = URL.canParse(resource) ? new URL(resource) : undefined
  const path = WELL_KNOWN + (parsed?.pathname.replace(/\/$/, '') ?? '')
  return {
    metadata: {
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scopes && { scopes_supported: scopes }),
      ...metadata,
    },
    path,
    url: parsed && `${parsed.origin}${path}`,
  }
}
