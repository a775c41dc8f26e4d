import type { ClientContext } from '../../core/registration-schemas/client-problems.ts'
import type { Registration } from '../../core/registration-schemas/clients.ts'
import { hasWildcard } from '../../core/registration-schemas/wildcard.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { matchesPreviewOrigin, previewProblem } from './wildcard-patterns.ts'

/** A wildcard that cannot be used has no effect, so that it does not disable the client. */
export function findWildcardProblems(
  client: Registration,
  { issuer }: Pick<ClientContext, 'issuer'>,
): Problem[] {
  const { redirect_uris, first_party, application_type } = client
  const indexes = redirect_uris.flatMap((uri, index) => (hasWildcard(uri) ? [index] : []))
  return indexes.flatMap((index): Problem[] => {
    const uri = redirect_uris[index] ?? ''
    const message = wildcardProblem(uri, issuer, {
      isOnly: indexes.length === 1,
      isOwnApp: first_party && application_type !== 'native',
    })
    return message ? [{ path: ['redirect_uris', index], code: 'unlisted', message }] : []
  })
}

function wildcardProblem(
  uri: string,
  issuer: string,
  { isOnly, isOwnApp }: { isOnly: boolean; isOwnApp: boolean },
): string | undefined {
  const problem = previewProblem(uri)
  if (problem) return problem
  if (!isOwnApp) return 'has a wildcard, which only a first_party client can have.'
  if (!isOnly) return 'is not the only one with a wildcard: a client can have one.'
  if (!matchesPreviewOrigin(uri, issuer)) return undefined
  return 'has a wildcard that includes this service: use a host that has only previews below it.'
}
