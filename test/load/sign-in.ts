import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { Services } from '../../demo/services.ts'
import { Visitor } from './visitor.ts'

export type Places = Pick<Services, 'login' | 'platform' | 'gallery'>

/** Somebody whom the stand-in knows by a name that nobody else has. */
export interface Person {
  handle: string
  displayName: string
}

/** Asked for once in a while, as an app does. */
const keys = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/**
 * The whole way of one person into the gallery, with every answer checked: the app's code and tokens are for this
 * request and this person, and the code is good once. Returns the subject; throws at the first wrong answer.
 */
export async function signIn(
  { login, gallery }: Places,
  person: Person,
  address: string,
): Promise<string> {
  const visitor = new Visitor(address)
  const [state, nonce, verifier] = [secret(), secret(), secret()]
  const redirect_uri = `${gallery}/callback`
  const request = new URLSearchParams({
    client_id: 'gallery',
    response_type: 'code',
    scope: 'openid profile',
    redirect_uri,
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const answer = new URL(await passPlatform(visitor, `${login}/oidc/authorize?${request}`, person))
  require(answer.href.startsWith(`${redirect_uri}?`), 'an answer at another address')
  require(answer.searchParams.get('state') === state, 'another state')
  require(answer.searchParams.get('iss') === login, 'another issuer')

  const form = {
    grant_type: 'authorization_code',
    client_id: 'gallery',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri,
    code_verifier: verifier,
  }
  const redeem = () => visitor.ask(`${login}/oidc/token`, { form })
  const redeemed = await redeem()
  require(redeemed.status === 200, `${redeemed.status} for a good code`)
  const { access_token, id_token } = JSON.parse(redeemed.body)
  const claims = await verify(login, id_token)
  require(claims['nonce'] === nonce, 'another nonce')

  const headers = { Authorization: `Bearer ${access_token}` }
  const profile = JSON.parse((await visitor.ask(`${login}/oidc/userinfo`, { headers })).body)
  require(profile.sub === claims.sub, 'userinfo about another subject')
  require(profile.name === person.displayName, 'somebody else’s profile')
  const again = await redeem()
  require(again.status === 400, `${again.status} for a code shown twice`)
  return String(claims.sub)
}

/** From the request to the app's callback, by way of the sign-in page and a person who says yes. */
async function passPlatform(visitor: Visitor, request: string, person: Person): Promise<string> {
  const signInPage = await visitor.follow(request)
  const page = await visitor.ask(signInPage)
  const [, href = ''] = page.body.match(/href="([^"]*signin\/tiktok[^"]*)"/) ?? []
  const start = new URL(href.replaceAll('&amp;', '&'), signInPage).href
  // As a browser says of a click on our own page.
  const platform = new URL(await visitor.follow(start, { 'Sec-Fetch-Site': 'same-origin' }))
  platform.searchParams.set('__as', person.handle)
  platform.searchParams.set('__grant', platform.searchParams.get('scope') ?? '')
  const callback = await visitor.follow(platform.href)
  return visitor.follow(await visitor.follow(callback))
}

async function verify(issuer: string, idToken: string): Promise<JWTPayload> {
  const set = keys.get(issuer) ?? createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  keys.set(issuer, set)
  return (await jwtVerify(idToken, set, { issuer, audience: 'gallery' })).payload
}

function require(isRight: boolean, wrong: string): void {
  if (!isRight) throw new Error(wrong)
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
