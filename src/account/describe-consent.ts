import type { Config } from '../config/config.ts'
import { findApi } from '../registrations/find-api.ts'

interface Consent {
  scope: readonly string[]
  resources: readonly string[]
}

/** A consent with the names of APIs, and the sentences of their scopes, instead of identifiers. */
export async function describeConsent(
  env: Env,
  config: Config,
  { scope, resources }: Consent,
): Promise<Consent> {
  return {
    scope: scope.filter((value) => !isApiScope(value)),
    resources: await Promise.all(
      resources.map(async (identifier) => {
        const api = await findApi(env, config, identifier)
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
