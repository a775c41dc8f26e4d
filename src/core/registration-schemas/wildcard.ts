import type { ClientContext } from './client-problems.ts'
import type { Registration } from './clients.ts'

/*
 * Wildcards in redirect URIs, for previews. The core decides which client can have one and what it
 * counts for. What it stands for is known to a feature only, without which it has no effect
 * (decision 103).
 */

/** Whether a redirect URI has a wildcard anywhere. It is not an address that users can return to. */
export function hasWildcard(uri: string): boolean {
  return uri.includes('*')
}

/** The one redirect URI with a wildcard that an app of the operator's own can have on the web. */
export function wildcardOf({
  first_party,
  application_type,
  redirect_uris,
}: Pick<Registration, 'first_party' | 'application_type' | 'redirect_uris'>): string | undefined {
  const [wildcard, ...others] = redirect_uris.filter(hasWildcard)
  return first_party && application_type !== 'native' && others.length === 0 ? wildcard : undefined
}

/**
 * Whether the wildcard of a client stands for this URI. It never stands for an address of this
 * service.
 */
export function isPreview(
  { features, issuer }: Pick<ClientContext, 'features' | 'issuer'>,
  client: Parameters<typeof wildcardOf>[0],
  uri: string,
): boolean {
  const wildcard = wildcardOf(client)
  if (wildcard === undefined) return false
  const isMatch = features.some(({ wildcards }) => wildcards?.matches(wildcard, uri))
  return isMatch && new URL(uri).origin !== issuer
}
