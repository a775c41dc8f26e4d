import * as oauth from 'oauth4webapi'
import type { Config } from '../../src/core/config/config.ts'
import { isPublicUrl } from '../../src/core/fetch/public-url.ts'
import { enabledProviders } from '../../src/core/upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../../src/core/upstream/resolved-provider.ts'
import { errorMessage } from '../error-message.ts'
import { type Finding, good, problem, skipped } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

const NAME = 'discovery of providers'

/**
 * Checks that a sign-in can start: that the discovery document of each provider can be read and is
 * valid.
 */
export async function checkProviders(config: Config, offline: boolean): Promise<Finding[]> {
  const providers = enabledProviders(config).filter(({ wellKnown }) => wellKnown !== undefined)
  if (providers.length === 0) return []
  const unreachable = config.isDevelopment
    ? []
    : providers.filter(({ wellKnown = '' }) => !isPublicUrl(wellKnown))
  if (unreachable.length > 0) return unreachable.map(privateProvider)
  if (offline) return [skipped(NAME, 'not checked because of --offline')]
  const findings = await Promise.all(providers.map(checkProvider))
  const failed = findings.filter((finding) => finding !== undefined)
  if (failed.length > 0) return failed
  return [good(NAME, providers.map(({ id }) => id).join(', '))]
}

/** This computer may be in the same network, so a request would say nothing. */
function privateProvider({ id, wellKnown = '' }: ResolvedProvider): Finding {
  return problem(NAME, {
    what: `The discovery document of ${id} at ${wellKnown} is not at a public address.`,
    why: 'Cloudflare cannot reach it, so nobody can sign in through this provider.',
    fix: 'Enter an issuer with a public name: docs/providers.md has what each provider needs.',
  })
}

async function checkProvider({ id, issuer, wellKnown = '' }: ResolvedProvider) {
  try {
    await readDiscoveryDocument(wellKnown, issuer ?? wellKnown)
    return undefined
  } catch (error) {
    return problem(NAME, {
      what: `The discovery document of ${id} at ${wellKnown} cannot be used: ${errorMessage(error).replace(/\.$/, '')}.`,
      why: 'Nobody can sign in through this provider.',
      fix: 'Correct the issuer of the provider. If it is correct, this machine may not be able to reach it: skip this check with --offline.',
    })
  }
}

/** As the service does: without following redirects, and with the same validation. */
async function readDiscoveryDocument(wellKnown: string, issuer: string): Promise<void> {
  const { status, json } = await sendRequest(wellKnown, { headers: { Accept: 'application/json' } })
  if (status !== 200) throw new Error(`it returned status ${status}`)
  await oauth.processDiscoveryResponse(new URL(issuer), Response.json(json ?? {}))
}
