import * as z from 'zod/mini'
import type { Config } from '../../core/config/config.ts'
import type { ValueSetting } from '../../core/config/feature.ts'
import { mayRead } from '../../core/fetch/public-url.ts'
import { assertionAudience } from '../../core/registration-schemas/clients.ts'
import { readSetting } from '../../define-feature/read-setting.ts'
import { NOT_JSON, text } from '../../foundation/values/schemas.ts'

/** `*`, the name of a host, or `*.` and a domain, for all of its subdomains. */
const HOST_PATTERN = /^\*$|^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z0-9-]+$|^localhost$|^\[::1\]$/

/** Longer ids of clients are rejected, as in authorization requests. */
const MAX_ID_LENGTH = 256

/** Which clients are accepted that no operator has registered. */
export const unregisteredClientsSchema = z.strictObject(
  {
    /** The hosts whose client ID metadata documents are accepted. */
    hosts: z._default(
      z.array(
        text([
          (host) => HOST_PATTERN.test(host),
          'must be a host in lower case such as claude.ai, *.example.com for its subdomains, or * for every host.',
        ]),
        'must be a list of hosts.',
      ),
      [],
    ),
    client_assertion_audience: assertionAudience(),
    /** Whether clients may register themselves (RFC 7591). */
    registration: z._default(z.boolean(), false),
  },
  {
    error({ code, input }) {
      if (code !== 'invalid_type') return undefined
      return typeof input === 'string' ? NOT_JSON : 'must be a table: [vars.UNREGISTERED_CLIENTS].'
    },
  },
)

type Policy = z.infer<typeof unregisteredClientsSchema>

/** None are accepted by default. */
export const UNREGISTERED_CLIENTS: ValueSetting<Policy> = {
  name: 'UNREGISTERED_CLIENTS',
  schema: z.prefault(unregisteredClientsSchema, {}),
}

export function policyOf(config: Config): Policy {
  return readSetting(config, UNREGISTERED_CLIENTS)
}

/** Whether clients are accepted that no operator has registered. */
export function acceptsUnregisteredClients(config: Config): boolean {
  const { hosts, registration } = policyOf(config)
  return hosts.length > 0 || registration
}

/**
 * Whether a client's id is the URL of a metadata document that may be read
 * (draft-ietf-oauth-client-id-metadata-document §3), of a host that the operator accepts. Only the
 * canonical spelling of a URL is accepted: it has a path without dot segments. In development, it
 * may be on loopback.
 */
export function isDocumentId(clientId: string, config: Config): boolean {
  const { hosts } = policyOf(config)
  if (hosts.length === 0 || clientId.length > MAX_ID_LENGTH) return false
  const url = URL.parse(clientId)
  if (url?.href !== clientId || clientId.includes('#') || url.origin === config.issuer) return false
  if (!hosts.some((pattern) => matchesHost(pattern, url.hostname))) return false
  return mayRead(clientId, config.isDevelopment)
}

/** Whether a client with this id may have registered itself. */
export function isDynamicId(clientId: string, config: Config): boolean {
  return policyOf(config).registration && /^dyn_[\w-]{22}$/.test(clientId)
}

/**
 * The hosts that an unregistered client belongs to, in ASCII: that of its document, or those of its
 * redirect URIs.
 */
export function hostsOf(clientId: string, redirectUris: readonly string[]): string[] {
  const urls = URL.canParse(clientId) ? [clientId] : redirectUris
  return [...new Set(urls.map((url) => new URL(url).hostname))]
}

/** Whether a text is a host, or a pattern for all subdomains of a domain. */
export function isHost(text: string): boolean {
  return text !== '*' && HOST_PATTERN.test(text)
}

/** Whether a pattern of the settings or of blocked hosts matches a host. */
export function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}
