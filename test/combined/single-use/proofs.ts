import { decodeJwt } from 'jose'
import { createVerifier, TokenError, type Verifier } from '../../../src/verify.ts'
import { LOGIN } from '../../browser.ts'
import { MINUTE, setClock } from '../../clock.ts'
import { registerApi, registerMachine } from '../../core/oidc/machines.ts'
import { basic, formRequest, OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { ProofKey } from '../../features/sender-constrained/proof-key.ts'
import type { Deployment, Service } from './deployment.ts'
import { codeForm, grantOf, requestTokens, type Tokens } from './grants.ts'
import type { SingleUse } from './single-use.ts'

const API = 'https://orders.example'
const ORDERS = `${API}/orders`
const USERINFO = `${LOGIN}/oidc/userinfo`

/** How far the clock of a client may be ahead. */
const EARLY = 10 // seconds

const key = await ProofKey.create()
const web = new RelyingApp('web')
const shop = new RelyingApp('shop')

/** A proof without a nonce is accepted for a minute, and in the second in which that ends. */
const PROOF = { usedUpBy: ['features/sender-constrained/proofs.ts'], lifetime: MINUTE + 1 }

/** One for which the user's object is called anyway, which remembers it. */
const PROOF_OF_USER = { ...PROOF, usedUpBy: ['features/sender-constrained/used-proofs.ts'] }

/** The nonce says when the proof was created, whatever the clock of the client says. */
const NONCE_LIFETIME = 5 * MINUTE

function now(): number {
  return Math.floor(Date.now() / 1000)
}

/** A nonce of the service. */
async function newNonce(deployment: Deployment): Promise<string> {
  const headers = { DPoP: await key.proof({ htu: `${LOGIN}/oidc/par`, iat: 1 }) }
  const request = formRequest('/oidc/par', { client_id: 'shop' }, headers)
  return (await deployment.isolate(request)).headers.get('DPoP-Nonce') ?? ''
}

/** A token of the client `web` for this API, or for userinfo, which is bound to the key. */
async function boundToken(deployment: Deployment, resource?: string): Promise<string> {
  const callback = await web.callbackFor(await deployment.signedIn(), { resource })
  const headers = { ...basic('web'), DPoP: await key.proof() }
  const form = web.codeExchangeForm(callback)
  return (await requestTokens(deployment.isolate, form, headers)).access_token ?? ''
}

function ofCode(claims: (deployment: Deployment) => Promise<Record<string, unknown>>) {
  return async (deployment: Deployment) => {
    const browser = await deployment.signedIn()
    const headers = { DPoP: await key.proof(await claims(deployment)) }
    return async (service: Service) =>
      grantOf(await requestTokens(service, await codeForm(browser), headers))
  }
}

/** For the code of any grant of the user. */
export const proofForCode: SingleUse = { ...PROOF_OF_USER, obtain: ofCode(async () => ({})) }

export const proofWithNonceForCode: SingleUse = {
  ...PROOF_OF_USER,
  lifetime: NONCE_LIFETIME,
  obtain: ofCode(async (deployment) => ({ iat: 1, nonce: await newNonce(deployment) })),
}

export const proofForRefreshToken: SingleUse = {
  ...PROOF_OF_USER,
  async obtain(deployment) {
    const browser = await deployment.signedIn()
    const DPoP = await key.proof()
    return async (service) => {
      const callback = await web.callbackFor(browser, OFFLINE_ACCESS)
      const form = web.codeExchangeForm(callback)
      const { refresh_token = '' } = await requestTokens(service, form, basic('web'))
      const refreshForm = { grant_type: 'refresh_token', refresh_token }
      return grantOf(await requestTokens(service, refreshForm, { ...basic('web'), DPoP }))
    }
  },
}

/** No user remembers it. */
export const proofOfMachine: SingleUse = {
  ...PROOF,
  async obtain() {
    const { identifier } = await registerApi()
    const { credentials } = await registerMachine({ resources: [identifier] })
    const headers = { ...credentials, DPoP: await key.proof() }
    return async (service) => {
      const form = { grant_type: 'client_credentials' }
      const { access_token }: Tokens = await requestTokens(service, form, headers)
      return access_token && decodeJwt(access_token).jti
    }
  },
}

export const proofForPushedRequest: SingleUse = {
  ...PROOF,
  async obtain() {
    const form = Object.fromEntries(new URL(await shop.authorizationUrl()).searchParams)
    const headers = { DPoP: await key.proof({ htu: `${LOGIN}/oidc/par` }) }
    return async (service) => {
      const response = await service(formRequest('/oidc/par', form, headers))
      return (await response.json<{ request_uri?: string }>()).request_uri
    }
  },
}

function atUserinfo(claims: (deployment: Deployment) => Promise<Record<string, unknown>>) {
  return async (deployment: Deployment) => {
    const token = await boundToken(deployment)
    const headers = await key.headers(USERINFO, token, await claims(deployment))
    return async (service: Service) => {
      const response = await service(new Request(USERINFO, { headers }))
      return response.ok ? response.text() : undefined
    }
  }
}

export const proofForUserinfo: SingleUse = { ...PROOF, obtain: atUserinfo(async () => ({})) }

export const earlyProofForUserinfo: SingleUse = {
  ...PROOF,
  lifetime: MINUTE + 1 + EARLY,
  obtain: atUserinfo(async () => ({ iat: now() + EARLY })),
}

export const proofWithNonceForUserinfo: SingleUse = {
  ...PROOF,
  lifetime: NONCE_LIFETIME,
  obtain: atUserinfo(async (deployment) => ({ iat: 1, nonce: await newNonce(deployment) })),
}

/** Each instance of an API has one verifier, which remembers what was used there. */
function verifiers(dpop?: { nonceSecret: string }) {
  const instances = new Map<Service, Verifier>()
  return (service: Service) => {
    const fetch = (url: string, init?: RequestInit) => service(new Request(url, init))
    const verifier =
      instances.get(service) ??
      createVerifier({ issuer: LOGIN, audience: API, fetch, ...(dpop && { dpop }) })
    instances.set(service, verifier)
    return verifier
  }
}

/** Sends a request with these headers. Returns the user; undefined if the proof was rejected. */
async function verifyAt(verifier: Verifier, headers: Record<string, string>) {
  const result = verifier.verify(new Request(ORDERS, { headers }))
  const { userId } = await result.catch((error: unknown) => {
    if (!(error instanceof TokenError)) throw error
    return { userId: undefined }
  })
  return userId
}

function atApi(claims: () => Record<string, unknown>): SingleUse['obtain'] {
  return async (deployment) => {
    const find = verifiers()
    const headers = await key.headers(ORDERS, await boundToken(deployment, API), claims())
    return (service) => verifyAt(find(service), headers)
  }
}

const AT_API = {
  usedUpBy: ['libraries/verify/possession.ts'],
  // Ages are rounded to seconds.
  lifetime: MINUTE + 0.5,
  margin: 0.01,
  isLocal: 'An API has no storage of ours: each instance remembers what it has accepted.',
}

export const proofForApi: SingleUse = { ...AT_API, obtain: atApi(() => ({})) }

export const earlyProofForApi: SingleUse = {
  ...AT_API,
  lifetime: MINUTE + EARLY + 0.5,
  obtain: atApi(() => ({ iat: now() + EARLY })),
}

/** Nonces change every five minutes, and each is accepted for the next five. */
const NONCE_PERIOD = 5 * MINUTE

export const proofWithNonceForApi: SingleUse = {
  ...AT_API,
  lifetime: 2 * NONCE_PERIOD,
  async obtain(deployment) {
    // A token is valid for as long, so that it is issued in the same second.
    const start = Math.ceil(now() / NONCE_PERIOD) * NONCE_PERIOD
    setClock(start)
    const find = verifiers({ nonceSecret: 'a secret of the API' })
    const token = await boundToken(deployment, API)
    const challenge = await find(deployment.isolate)
      .verify(new Request(ORDERS, { headers: await key.headers(ORDERS, token) }))
      .catch(({ headers }) => headers)
    const nonce = challenge['DPoP-Nonce']
    const headers = await key.headers(ORDERS, token, { iat: 1, nonce })
    return (service) => verifyAt(find(service), headers)
  },
}
