import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { errorCode, findLink } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'
import { basic, RelyingApp, SECRETS } from '../oidc/relying-app.ts'

/** An authorization request that is valid except that nobody is signed in, without a state. */
async function silentRequest(): Promise<string> {
  return new RelyingApp('shop').authorizationUrl({ state: undefined, prompt: 'none' })
}

/** The response to a request with these raw parameters in addition, as the app receives it. */
async function authorizeWith(rawParameters: string): Promise<URLSearchParams> {
  const response = await new Browser().get(`${await silentRequest()}&${rawParameters}`)
  return redirectUrl(response).searchParams
}

describe('the query of GET /oidc/authorize', () => {
  it.each([
    ['state=a=b', 'a=b'],
    ['state=a+b', 'a b'],
    ['state=%2B+', '+ '],
    ['state=%26%3D%25%23', '&=%#'],
    ['state=%', '%'],
    ['state=%zz', '%zz'],
    ['state=%ff', '\uFFFD'],
    ['state=%C3%A4', 'ä'],
    ['state=ä', 'ä'],
    ['state=a?b', 'a?b'],
    ['state=a;b', 'a;b'],
    ['st%61te=s', 's'],
    ['%73%74%61%74%65=s', 's'],
    ['&&state=s', 's'],
  ])('is decoded once: %s', async (rawParameters, state) => {
    const parameters = await authorizeWith(rawParameters)

    expect(new URLSearchParams(rawParameters).get('state')).toBe(state)
    expect(parameters.get('error')).toBe('login_required')
    expect(parameters.get('state')).toBe(state)
  })

  it.each(['', '&', '=', '&&a', 'a=b=c', 'a+b=%2B+', '%zz=%', 'a=%ff', '%3D=%26', '?state=s'])(
    'may contain other and malformed parameters: %j',
    async (rawParameters) => {
      const parameters = await authorizeWith(rawParameters)

      expect(parameters.get('error')).toBe('login_required')
      expect(parameters.has('state')).toBe(false)
    },
  )

  it.each(['state=a&state=b', 'state=a&st%61te=b', 'x=1&x=2', '=1&=2', 'a+b=1&a%20b=2'])(
    'may not contain a parameter twice, however it is escaped: %s',
    async (rawParameters) => {
      expect((await authorizeWith(rawParameters)).get('error')).toBe('invalid_request')
    },
  )

  it('does not ignore a second question mark', async () => {
    const response = await new Browser().get(
      '/oidc/authorize??client_id=shop&redirect_uri=https://shop.example/callback',
    )

    expect(response.status).toBe(400)
    expect(await errorCode(response)).toBe('client_unknown')
  })

  it('[N5] is parsed as URLSearchParams does, whatever it contains', async () => {
    const request = await silentRequest()
    const characters = fc.constantFrom(
      ...['a', '=', '+', '%', '2', 'F', 'f', 'ä', '€', '😀', ' ', ';', '?'],
    )
    const rawState = fc.oneof(
      fc.string({ unit: characters, maxLength: 40 }),
      fc.string().map((text) => text.replaceAll(/[&#\t\r\n]/g, '')),
    )
    await fc.assert(
      fc.asyncProperty(rawState, async (raw) => {
        // The browser's URL parser removes spaces at the end of an address, so it must not be last.
        const response = await new Browser().get(`${request}&state=${raw}&x=1`)

        const expected = new URLSearchParams(`state=${raw}`).get('state') || null
        expect(redirectUrl(response).searchParams.get('state')).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the query of GET /api/auth/signin', () => {
  /** The return address that the service has read: where a sign-in on its page leads to. */
  async function readReturnAddress(rawQuery: string): Promise<string | null> {
    const browser = new Browser()
    const page = await (await browser.get(`/api/auth/signin?${rawQuery}`)).text()
    const platform = redirectUrl(await browser.get(findLink(page, 'signin/tiktok?')))
    const finished = await browser.get(await browser.approve(platform, 'mia'))
    return finished.headers.get('Location')
  }

  it.each([
    ['callbackUrl=/a%2Bb', `${LOGIN}/a+b`],
    ['callbackUrl=/a?x=1?y=2', `${LOGIN}/a?x=1?y=2`],
    ['callbackUrl=/a?x=1&y=2', `${LOGIN}/a?x=1`],
    ['callbackUrl=/a%3Fx=1%26y=2', `${LOGIN}/a?x=1&y=2`],
    ['callbackUrl=/%25zz', `${LOGIN}/%zz`],
    ['callbackUrl=/%zz', `${LOGIN}/%zz`],
    // Not UTF-8, so Hono leaves it as it is.
    ['callbackUrl=/%ff', `${LOGIN}/%ff`],
    ['callbackUrl=/%C3%A4', `${LOGIN}/%C3%A4`],
    ['c%61llbackUrl=/a', `${LOGIN}/a`],
    ['=x&&callbackUrl=/a', `${LOGIN}/a`],
    ['?callbackUrl=/a', `${LOGIN}/`],
    ['', `${LOGIN}/`],
  ])('is decoded once: %s', async (rawQuery, returnAddress) => {
    expect(await readReturnAddress(rawQuery)).toBe(returnAddress)
  })

  it.each(['callbackUrl=/a&callbackUrl=/b', 'callbackUrl=/a&callback%55rl=/b'])(
    'may not contain a parameter twice: %s',
    async (rawQuery) => {
      const response = await new Browser().get(`/api/auth/signin?${rawQuery}`)

      expect(response.status).toBe(400)
      expect(await errorCode(response)).toBe('request_invalid')
    },
  )
})

describe('the body of POST /oidc/token', () => {
  const send = (body: string) =>
    serviceWith({})(
      new Request(`${LOGIN}/oidc/token`, {
        method: 'POST',
        headers: {
          ...basic('web', SECRETS['web'] ?? ''),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body,
      }),
    )

  it.each([
    ['grant%5Ftype=refresh_token&refresh_token=x', 'invalid_grant'],
    ['x=%zz&%=&&grant_type=refresh_token&refresh_token=x', 'invalid_grant'],
    ['grant_type=refresh+token&refresh_token=x', 'unsupported_grant_type'],
    ['grant_type=x&grant%5ftype=refresh_token', 'invalid_request'],
    // A question mark in front belongs to the first name.
    ['?grant_type=refresh_token&refresh_token=x', 'invalid_request'],
  ])('is parsed as a form: %s', async (body, error) => {
    const response = await send(body)

    expect(await response.json()).toMatchObject({ error })
  })
})

describe('a response to a redirect URI', () => {
  it.each([
    ['https://app.example', 'https://app.example/?state=s'],
    ['https://app.example/cb', 'https://app.example/cb?state=s'],
    ['https://app.example/cb?', 'https://app.example/cb?state=s'],
    ['https://app.example/cb?a=%26', 'https://app.example/cb?a=%26&state=s'],
    ['https://app.example/cb?a=%26&state=old', 'https://app.example/cb?a=%26&state=s'],
  ])(
    'of %s keeps its query and replaces parameters of the same name: %s',
    async (redirectUri, expected) => {
      const CLIENTS = [{ client_id: 'app', redirect_uris: [redirectUri] }]
      const browser = new Browser(serviceWith({ CLIENTS }))
      const query = new URLSearchParams({
        client_id: 'app',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        state: 's',
        prompt: 'none',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      })

      const location = redirectUrl(await browser.get(`/oidc/authorize?${query}`))

      expect(location.searchParams.get('error')).toBe('login_required')
      for (const name of ['error', 'error_description', 'iss']) location.searchParams.delete(name)
      expect(location.href).toBe(expected)
    },
  )
})
