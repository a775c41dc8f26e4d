import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { JSONWebKeySet } from 'jose'
import { listKeys, rotateKeys } from '../src/administration/manage-keys.ts'
import type { KeyringObject } from '../src/core/tokens/keyring-object.ts'
import { Browser } from './browser.ts'
import { app, readConfig } from './deployment.ts'

const namespace = env.KEYRING as unknown as DurableObjectNamespace<KeyringObject>

const ORIGIN = { actor: 'client:ops', network: '203.0.113.0/24', requestId: 'BBBBB-CCCCC' }
export const PLANNED = { isRevocation: false, origin: ORIGIN }
export const REVOCATION = { isRevocation: true, origin: ORIGIN }

/** The keyring object of one deployment, which other tests do not use. */
export function newKeyring() {
  return namespace.get(namespace.newUniqueId())
}

/** One isolate of a deployment with this keyring; each has its own copy of the keys. */
export function isolateWith(keyring: object) {
  const KEYRING = { idFromName: () => 'any', get: () => keyring }
  const deployment = { ...env, KEYRING } as unknown as Env
  const config = readConfig(deployment)
  const service = async (request: Request) => {
    const ctx = createExecutionContext()
    const response = await app.fetch(request, deployment, ctx)
    await waitOnExecutionContext(ctx)
    return response
  }
  const browser = new Browser(service)
  return {
    config,
    service,
    browser,
    rotate: (request: typeof PLANNED) => rotateKeys(deployment, config, request),
    list: () => listKeys(deployment),
    jwks: () => browser.json<JSONWebKeySet>('/.well-known/jwks.json'),
  }
}

export type Isolate = ReturnType<typeof isolateWith>
