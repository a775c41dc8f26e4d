import { decodeJwt } from 'jose'
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import type { Services } from '../../demo/services.ts'
import { type Navigation, navigate } from './navigate.ts'

/** The app these people use. It needs no address that answers: they read the code from where they are sent. */
export const APP = {
  client_id: 'crash-test',
  redirect_uris: ['http://localhost:1/callback'],
  first_party: true,
}
const [REDIRECT_URI = ''] = APP.redirect_uris

/** More steps than any way through a sign-in has. */
const MOST_STEPS = 10

/** How far somebody has come, as far as they know: a wish without an answer is a stage of its own. */
export type Stage = 'arriving' | 'code' | 'redeeming' | 'tokens' | 'refreshing' | 'leaving' | 'gone'

export interface Answer {
  status: number
  error?: string
  access_token?: string
  refresh_token?: string
}

/** Somebody with a browser, and the app they use in it. Both know nothing but what they were answered. */
export class Person {
  readonly #handle = `p${crypto.randomUUID().slice(0, 13)}`
  readonly #verifier = randomPKCECodeVerifier()
  readonly #cookies = new Map<string, string>()
  readonly #login: string
  readonly #platform: string
  /** The page they have last asked for. */
  #place = ''
  #code = ''
  #tokens: Answer = { status: 0 }
  stage: Stage = 'arriving'
  /** Sent with all that they ask of the login service. */
  headers: Record<string, string> = {}

  constructor({ login, platform }: Pick<Services, 'login' | 'platform'>) {
    this.#login = login
    this.#platform = platform
  }

  /** The session that their tokens were given in. */
  get sid(): string {
    return String(decodeJwt(this.#tokens.access_token ?? '')['sid'])
  }

  /** Tells the stand-in of them. It forgets everybody when it dies. */
  async introduce(): Promise<void> {
    const body = JSON.stringify({ handle: this.#handle })
    await navigate(`${this.#platform}/__stand-in/users`, { body })
  }

  /** From the app and back with a code, by way of sign-in page and platform where that is needed. */
  async askForCode(hesitate = async () => {}): Promise<void> {
    let place = await this.#authorizationUrl()
    for (let step = 0; step < MOST_STEPS && !place.href.startsWith(REDIRECT_URI); step++) {
      await hesitate()
      place = await this.#visit(place)
    }
    this.#code = place.searchParams.get('code') ?? ''
    this.stage = 'code'
  }

  async redeem(): Promise<void> {
    this.stage = 'redeeming'
    this.#tokens = accepted(await this.showCode())
    this.stage = 'tokens'
  }

  async refresh(): Promise<void> {
    this.stage = 'refreshing'
    this.#tokens = accepted(await this.showRefreshToken())
    this.stage = 'tokens'
  }

  async signOut(): Promise<void> {
    this.stage = 'leaving'
    await this.#navigate(`${this.#login}/api/auth/signout`, {
      headers: { Origin: this.#login },
      body: new URLSearchParams(),
    })
    this.stage = 'gone'
  }

  showCode(): Promise<Answer> {
    return this.#askForTokens({
      grant_type: 'authorization_code',
      code: this.#code,
      redirect_uri: REDIRECT_URI,
      code_verifier: this.#verifier,
    })
  }

  showRefreshToken(): Promise<Answer> {
    return this.#askForTokens({
      grant_type: 'refresh_token',
      refresh_token: this.#tokens.refresh_token ?? '',
    })
  }

  /** Whom the login service takes their access token for. */
  async userinfo(): Promise<string | undefined> {
    const Authorization = `Bearer ${this.#tokens.access_token}`
    const response = await navigate(`${this.#login}/oidc/userinfo`, { headers: { Authorization } })
    const claims: { sub?: string } = await response.json()
    return claims.sub
  }

  /** Whom the login service takes their browser for, by its own word and not by that of a copy. */
  async whoAmI(): Promise<string | undefined> {
    const response = await this.#navigate(`${this.#login}/api/auth/session`)
    const session: { user: { id: string } } | null = await response.json()
    return session?.user.id
  }

  /** Presses the button that loads the page again. */
  async reload(): Promise<Response> {
    return this.#navigate(this.#place)
  }

  /** Opens a page, and says where it leads. */
  async #visit(place: URL): Promise<URL> {
    if (place.origin === this.#platform) {
      place.searchParams.set('__as', this.#handle)
      place.searchParams.set('__grant', place.searchParams.get('scope') ?? '')
    }
    this.#place = place.href
    const response = await this.#navigate(place.href)
    const [, link] = (await response.text()).match(/href="([^"]*signin\/tiktok[^"]*)"/) ?? []
    const next = response.headers.get('Location') ?? link?.replaceAll('&amp;', '&')
    if (!next) throw new Error(`${response.status} at ${place.pathname} leads nowhere.`)
    return new URL(next, place)
  }

  async #authorizationUrl(): Promise<URL> {
    const parameters = new URLSearchParams({
      client_id: APP.client_id,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid offline_access',
      code_challenge: await calculatePKCECodeChallenge(this.#verifier),
      code_challenge_method: 'S256',
    })
    return new URL(`${this.#login}/oidc/authorize?${parameters}`)
  }

  async #askForTokens(form: Record<string, string>): Promise<Answer> {
    const response = await navigate(`${this.#login}/oidc/token`, {
      headers: this.headers,
      body: new URLSearchParams({ client_id: APP.client_id, ...form }),
    })
    return { ...(await response.json()), status: response.status }
  }

  async #navigate(place: string, { headers, ...navigation }: Navigation = {}): Promise<Response> {
    const Cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await navigate(place, {
      ...navigation,
      headers: { Accept: 'text/html', Cookie, ...this.headers, ...headers },
    })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = cookie.match(/^([^=]+)=([^;]*)/) ?? []
    if (/max-age=0/i.test(cookie)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

function accepted(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`Refused: ${JSON.stringify(answer)}`)
  return answer
}
