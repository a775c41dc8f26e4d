import type { AppContext } from '../http/app-env.ts'
import { findApi } from '../registrations/find-api.ts'
import { findClient } from '../registrations/find-client.ts'
import type { AccountOverview } from '../users/user-data.ts'

/** The names of apps and APIs, and the sentences of the APIs' scopes, instead of identifiers. */
export function describeConsents(c: AppContext, { consents }: AccountOverview) {
  return Promise.all(consents.map((consent) => describeConsent(c, consent)))
}

export type DescribedConsent = Awaited<ReturnType<typeof describeConsent>>

async function describeConsent(
  c: AppContext,
  { clientId, scope, resources }: AccountOverview['consents'][number],
) {
  return {
    clientId,
    name: await clientName(c, clientId),
    scope: scope.filter((value) => !isApiScope(value)),
    resources: await Promise.all(
      resources.map(async (identifier) => {
        const found = await findApi(c.env, c.get('config'), identifier)
        const api = found.kind === 'found' ? found.api : undefined
        const sentences = (api?.scopes ?? [])
          .filter(({ name }) => scope.includes(`${identifier} ${name}`))
          .map(({ description }) => description)
        const name = api?.name ?? identifier
        return sentences.length > 0 ? `${name}: ${sentences.join(' ')}` : name
      }),
    ),
  }
}

/** The scope of an API is stored with the API's identifier before it. */
function isApiScope(value: string): boolean {
  return value.includes(' ')
}

/** The display name of an app; its id if it is no longer registered. */
export async function clientName(c: AppContext, id: string): Promise<string> {
  return (await findClient(c.env, c.get('config'), id))?.client_name ?? id
}
