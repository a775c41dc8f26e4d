import type { AppContext } from '../../core/http/app-env.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { wildcardOf } from '../../core/registration-schemas/wildcard.ts'
import { readSnapshot } from '../../core/registrations/snapshot.ts'

/**
 * The hosts whose pages may make the browser renew the bound cookie: those of apps of the operator's
 * own, which call the session endpoint. Previews have all hosts below another one.
 */
export async function readRefreshInitiators(c: AppContext): Promise<string[]> {
  const config = c.get('config')
  const { clients } = await readSnapshot(c.env, config)
  const hasPreviews = config.features.some(({ wildcards }) => wildcards)
  const enabled = [
    ...config.clients,
    ...Array.from(clients.values(), ({ enabled }) => enabled ?? []).flat(),
  ]
  const hosts = enabled
    .filter(({ first_party }) => first_party)
    .flatMap((client) => [
      ...client.origins.filter((origin) => origin.startsWith('https:')).map(hostOf),
      ...(hasPreviews ? previewHosts(client) : []),
    ])
  return [...new Set(hosts)].sort()
}

/** A wildcard is the first label of the host. */
function previewHosts(client: Client): string[] {
  const [, host] = /^https:\/\/(\*\.[^/:]+)/.exec(wildcardOf(client) ?? '') ?? []
  return host === undefined ? [] : [host]
}

function hostOf(origin: string): string {
  return new URL(origin).hostname
}
