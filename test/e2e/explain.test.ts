import { readFileSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { type HttpResponse, sendRequest } from '../../cli/http-request.ts'
import { en } from '../../src/core/messages/en.ts'
import { CLOCK_HINT } from '../../src/foundation/errors/failure-detail.ts'
import { startAdminApiStub } from './admin-api-stub.ts'
import { vestibule } from './vestibule.ts'

const { login } = inject('services')
const log = inject('log')

/**
 * A sign-in that was started: the browser's cookies, the authorization request and the reference of
 * the first step.
 */
interface StartedSignIn {
  cookies: string
  request: URL
  reference: string
}

describe('npx vestibule-auth explain', () => {
  it('describes a sign-in that the user cancelled, step by step', async () => {
    const signIn = await startSignIn()
    const reference = await openCallback(signIn, await requestCallback(signIn, 'deny'))
    const { output, status } = await explain(reference)

    expect(output).toBe(
      [
        '  1. The sign-in started: the browser was sent to tiktok.',
        `  2. The user cancelled, or the provider did not let them sign in, and returned to the page they came from. ← ${reference}`,
        '     The provider reported: access_denied (the user cancelled, or the platform does not allow this account to sign in to apps).',
        `     The user saw: “${en['signIn.cancelled']}”`,
        '',
        '  To do: No action needed: the user cancelled, or the provider refused. If the user did not cancel, the account may be too young or restricted; the provider tells the user more than it tells this service.',
        '',
      ].join('\n'),
    )
    expect(status).toBe(0)
  })

  it.each([
    [
      { code: 'made-up-code' },
      'failed with 400: code_expired',
      'invalid_grant (the code is unknown',
      'its log id 2',
    ],
    [
      { error: 'access_denied', error_type: 'non_sandbox_target' },
      'failed with 403: not_eligible',
      'non_sandbox_target (the account is not one of',
      'To do: Add the account in the portal',
    ],
    [
      { error: 'unauthorized_client', error_type: 'client_key' },
      'failed with 502: provider_refused',
      'unauthorized_client (the app may not',
      'To do: Compare AUTH_TIKTOK_ID',
    ],
    [
      { error: 'server_error' },
      'failed with 503: provider_unavailable',
      'server_error (an internal error',
      'To do: Wait',
    ],
  ])('explains a callback with %j', async (parameters, ...texts) => {
    const signIn = await startSignIn()
    const { output } = await explain(await openCallback(signIn, createCallback(signIn, parameters)))

    for (const text of texts) expect(output).toContain(text)
  })

  it('describes a sign-in that succeeded, and a second call of its callback', async () => {
    const signIn = await startSignIn()
    const callback = await requestCallback(signIn, 'user.info.basic')
    const first = await explain(await openCallback(signIn, callback))
    expect(first.output).toMatch(/2\. The user returned and was signed in as usr_/)
    expect(first.output).toContain('To do: No action needed: the sign-in succeeded.')

    const second = await explain(await openCallback(signIn, callback))
    expect(second.output).toMatch(/3\. .*(failed|was redirected|no such sign-in)/)
  })

  it('describes a sign-in from which the user has not returned', async () => {
    const { reference } = await startSignIn()
    const { output } = await explain(reference)

    expect(output).toContain('the user has not returned yet')
    expect(output).toContain('npx vestibule-auth doctor --page <error>')
  })

  it('describes a callback without a sign-in', async () => {
    const callback = `${login}/api/auth/callback/tiktok?code=x&state=unknown`
    const { headers } = await sendRequest(callback)
    const { output } = await explain(headers.get('X-Request-Id') ?? '')

    expect(output).toContain('has no such sign-in in progress')
    expect(output).toContain('The start of this sign-in is not in this log')
  })

  it('says that no sign-in started for a browser that came from another site', async () => {
    const { headers } = await sendRequest(`${login}/api/auth/signin/tiktok`, {
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    })
    const { output } = await explain(headers.get('X-Request-Id') ?? '')

    expect(output).toContain('no sign-in started yet')
  })

  it('shows repeated polling for the phone only once', async () => {
    const start = await sendRequest(`${login}/api/auth/signin/tiktok/qr`)
    const cookies = readCookies(start)
    const pollingUrl = `${login}${start.headers.get('Location')}`
    for (let count = 0; count < 3; count++) await openPage(pollingUrl, cookies)
    const reference = await openPage(pollingUrl, cookies)
    const { output } = await explain(reference)

    expect(output).toContain('1. The browser showed a QR code for the phone.\n')
    expect(output).toContain(`2. The browser waited for the phone. ← ${reference}`)
    expect(output).not.toContain('3.')
  })

  it('accepts a reference in lower case without its hyphen, and the log from standard input', async () => {
    const { reference } = await startSignIn()
    await waitForLog(reference)
    const typed = reference.toLowerCase().replace('-', ' ')
    const { output } = await vestibule(['explain', typed], { input: readFileSync(log, 'utf8') })

    expect(output).toContain(`← ${reference}`)
  })

  it('reads the output of `wrangler tail` with its times, and prints nothing else from it', async () => {
    const signIn = await startSignIn()
    const callback = createCallback(signIn, { error: 'server_error' })
    const reference = await openCallback(signIn, callback)
    const lines = await waitForLog(reference)
    const tail = lines.map((message, index) =>
      JSON.stringify(
        {
          outcome: 'ok',
          scriptName: 'vestibule',
          exceptions: [],
          logs: [{ message: [message], level: 'log', timestamp: 1_794_650_400_000 + index }],
          eventTimestamp: 1_794_650_400_000,
          event: {
            request: {
              url: `${login}/api/auth/callback/tiktok?code=secret-4711`,
              headers: { cookie: 'vestibule.session=secret-4711' },
            },
          },
        },
        null,
        4,
      ),
    )
    const input = `Connected to vestibule, waiting for logs...\n${tail.join('\n')}\n`

    const asJson = await vestibule(['explain', reference, '--json'], { input })
    expect(JSON.parse(asJson.output).lines).toMatchObject([
      { status: 302, at: expect.any(Number) },
      { requestId: reference, code: 'provider_unavailable', upstreamError: 'server_error' },
    ])
    const { output, status } = await vestibule(['explain', reference], { input })
    expect(output).toMatch(/1\. 2026-11-14 \d\d:\d\d:\d\d {2}The sign-in started/)
    expect(output + asJson.output).not.toContain('4711')
    expect(status).toBe(0)
  })

  it('ignores malformed and unrelated lines in a log', async () => {
    const { reference } = await startSignIn()
    const lines = await waitForLog(reference)
    const line = lines.find((candidate) => candidate.includes(reference))
    const noise = [
      '{',
      'null',
      '}{',
      '{"logs":[[[[{"requestId":1}]]]]}',
      `{"requestId":"${reference}`,
      '',
      '[',
      '"',
    ]
    const input = [...noise, `2026-11-14T09:00:00Z info ${line}`, ...noise].join('\r\n')
    const { output, status } = await vestibule(['explain', reference], { input })

    expect(output).toContain(
      `1. The sign-in started: the browser was sent to tiktok. ← ${reference}`,
    )
    expect(status).toBe(0)
  })

  it.each([
    ['wrangler tail', (line: string) => `  \u001B[90m(error)\u001B[39m ${line}\u001B[0m`],
    [
      'wrangler dev',
      (line: string) =>
        `\u001B[31m✘ \u001B[41;31m[\u001B[41;97mERROR\u001B[41;31m]\u001B[0m \u001B[1m${line}\u001B[0m`,
    ],
  ])('reads coloured lines of `%s`', async (_command, colour) => {
    const line =
      '{"requestId":"BBBBB-FFFFF","method":"GET","route":"/account","status":503,"code":"unavailable"}'
    const { output, status } = await vestibule(['explain', 'BBBBB-FFFFF'], { input: colour(line) })

    expect(output).toContain('GET /account failed with 503: unavailable. ← BBBBB-FFFFF')
    expect(status).toBe(0)
  })

  it('names the command that applies missing migrations instead of advising to wait', async () => {
    const input =
      '{"requestId":"BBBBB-GGGGG","method":"GET","route":"/api/auth/callback/:provider","status":503,"code":"unavailable","cause":"Error: D1_ERROR: no such table: audit: SQLITE_ERROR","hint":"migrations were not applied: npm run migrate"}'
    const { output } = await vestibule(['explain', 'BBBBB-GGGGG'], { input })

    expect(output).toContain('To do: migrations were not applied: npm run migrate.')
    expect(output).not.toContain('Wait')
  })

  it.each([
    ['google', 'invalid_client', 'Compare AUTH_GOOGLE_ID and AUTH_GOOGLE_SECRET'],
    ['github', 'incorrect_client_credentials', 'Compare AUTH_GITHUB_ID and AUTH_GITHUB_SECRET'],
    ['slack', 'bad_client_secret', 'Compare AUTH_SLACK_ID and AUTH_SLACK_SECRET'],
    ['tiktok', 'invalid_client', 'from the same sandbox or app'],
    ['github', 'redirect_uri_mismatch', 'Register <AUTH_URL>/api/auth/callback/github at'],
    ['slack', 'bad_redirect_uri', 'Register <AUTH_URL>/api/auth/callback/slack at'],
    ['tiktok', 'invalid_request redirect_uri', 'in the sandbox or app that the key belongs to'],
    ['microsoft-entra-id', 'invalid_scope', 'scopes in AUTH_MICROSOFT_ENTRA_ID_SCOPE'],
    ['tiktok', 'invalid_scope scope', 'AUTH_TIKTOK_SCOPE (user.info.basic always works)'],
    ['keycloak', 'unauthorized_client', 'the app whose id is AUTH_KEYCLOAK_ID is live'],
    ['tiktok', 'unauthorized_client client_key', 'add the Login Kit product'],
    ['google', 'other', 'contact its support'],
    ['tiktok', 'access_denied toString', 'contact its support'],
  ])(
    'advises for the provider that has refused: %s with %s',
    async (provider, reported, remedy) => {
      const [upstreamError, upstreamErrorType] = reported.split(' ')
      const { output, status } = await explainLine({
        code: 'provider_refused',
        ...{ provider, upstreamError, upstreamErrorType },
      })

      expect(output.split('To do: ')[1]).toContain(remedy)
      if (provider !== 'tiktok') expect(output).not.toMatch(/tiktok_|platform|sandbox/i)
      expect(status).toBe(0)
    },
  )

  it.each([
    [{ code: 'redirect_uri_refused', hint: 'redirect_uri is x.' }, 'Add the redirect URI to'],
    [{ code: 'client_unknown' }, 'Register the app, or correct the client_id'],
    [{ code: 'post_logout_redirect_uri_refused' }, 'Add the URL to post_logout_redirect_uris'],
    [{ code: 'user_blocked' }, 'If the database was restored to a time before that'],
    [
      { code: 'provider_invalid', hint: `an "exp" is past: is ${CLOCK_HINT} wrong?` },
      'Compare the clock of the provider with the time',
    ],
    [{ code: 'provider_invalid', hint: 'another' }, 'compare the reason above'],
    [{ code: 'invalid_grant', route: '/oidc/token' }, 'unless an app of yours sent the request'],
    [{ provider: 'google', status: 302 }, '/api/auth/callback/google at google'],
  ])('advises what to do about %j', async (line, remedy) => {
    const { output } = await explainLine(line)

    expect(output.split('To do: ').at(-1)).toContain(remedy)
  })

  it('lists all problems of the configuration', async () => {
    const input =
      '{"requestId":"BBBBB-CCCCC","method":"GET","route":"/*","status":500,"code":"configuration","cause":["AUTH_SECRET is missing.","AUTH_URL is missing."]}'
    const { output } = await vestibule(['explain', 'BBBBB-CCCCC'], { input })

    expect(output).toContain('Error: AUTH_SECRET is missing.')
    expect(output).toContain('Error: AUTH_URL is missing.')
    expect(output).toContain(
      'To do: Correct the settings that are named: npx vestibule-auth doctor',
    )
  })

  it('prints only the first line of a stack trace, without control characters', async () => {
    const input =
      '{"requestId":"BBBBB-DDDDD","method":"GET","route":"/account","status":500,"code":"internal","cause":"TypeError: \\u001b[2Jbroken\\n    at secret-place"}'
    const { output } = await vestibule(['explain', 'BBBBB-DDDDD'], { input })

    expect(output).toContain('Error: TypeError:  [2Jbroken')
    for (const text of ['\u001B', 'secret-place']) expect(output).not.toContain(text)
  })

  it('shows what failed after the response of another step of the sign-in', async () => {
    const attempt = 'a-sign-in'
    const input = [
      { requestId: 'BBBBB-KKKKK', route: '/api/auth/signin/:provider', status: 302, attempt },
      { requestId: 'BBBBB-NNNNN', route: '/api/auth/callback/:provider', status: 303, attempt },
      { requestId: 'BBBBB-NNNNN', event: 'event_failed', cause: 'Error: no more room' },
      { requestId: 'BBBBB-PPPPP', event: 'event_failed', cause: 'Error: of another sign-in' },
    ].map((line) => JSON.stringify({ ...line, method: 'GET' }))
    const { output } = await vestibule(['explain', 'BBBBB-KKKKK'], { input: input.join('\n') })

    expect(output).toMatch(/3\. A task that runs after the response failed\.\n.*no more room/)
    expect(output).not.toContain('another sign-in')
  })

  it('[R1] names the network of a request that was limited', async () => {
    const input =
      '{"requestId":"BBBBB-HHHHH","method":"GET","route":"/account","status":429,"code":"too_many_requests","network":"203.0.113.0/24"}'
    const { output } = await vestibule(['explain', 'BBBBB-HHHHH'], { input })

    expect(output).toContain('The request came from the network 203.0.113.0/24.')
  })

  it('asks the audit log if no log has the reference', async () => {
    const entry = {
      id: '1',
      at: 1_794_650_400,
      event: 'sign_in',
      outcome: 'access_denied',
      actor: 'anonymous',
      provider: 'tiktok',
      request_id: 'BBBBB-JJJJJ',
      sentence: 'Someone could not sign in with TikTok',
      reason: 'Cancelled, or refused by the provider',
    }
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [entry] } }))

    const { output, status } = await vestibule(['explain', 'bbbbb jjjjj'], { input: '', env })

    expect(requests.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/audit\?request_id=BBBBB-JJJJJ&/),
    ])
    expect(output).toMatch(
      /✗ Someone could not sign in with TikTok: cancelled, or refused by the provider\n +sign_in {2}access_denied {2}tiktok {2}BBBBB-JJJJJ\n/,
    )
    expect(output).toContain(`The user saw: “${en['errors.access_denied.title']}.`)
    expect(output).toContain('To do: No action needed: the user cancelled')
    expect(output).toContain('No log was given')
    expect(output).not.toContain('is not in this log')
    expect(status).toBe(0)
  })

  it('reports that the audit log does not have the reference', async () => {
    const { env } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const { output, status } = await vestibule(['explain', 'BBBBB-JJJJJ'], { input: '', env })

    expect(output).toContain('The audit log does not have BBBBB-JJJJJ.\nNo log was given')
    expect(status).toBe(1)
  })

  it('explains how to get the log when the reference is not in it', async () => {
    const { output, status } = await vestibule(['explain', 'BBBBB-BBBBB', '--log', log])

    expect(output).toContain('BBBBB-BBBBB is not in this log.')
    expect(output).toContain('Query Builder')
    expect(output).toContain('npx wrangler tail --format json')
    expect(status).toBe(1)
  })
})

/** Explains a log that has only this line. */
function explainLine(line: Record<string, unknown>) {
  const request = { requestId: 'BBBBB-QQQQQ', method: 'GET', route: '/api/auth/signin/:provider' }
  return vestibule(['explain', 'BBBBB-QQQQQ'], {
    input: JSON.stringify({ ...request, status: 502, ...line }),
  })
}

/** Starts a sign-in, up to the redirect to the platform. */
async function startSignIn(): Promise<StartedSignIn> {
  const response = await sendRequest(`${login}/api/auth/signin/tiktok`)
  return {
    cookies: readCookies(response),
    request: new URL(response.headers.get('Location') ?? ''),
    reference: response.headers.get('X-Request-Id') ?? '',
  }
}

/**
 * Lets the stand-in respond to the authorization request, and returns the callback it redirects to.
 */
async function requestCallback({ request }: StartedSignIn, grant: string): Promise<string> {
  request.searchParams.set('__as', 'noah')
  request.searchParams.set('__grant', grant)
  const { headers } = await sendRequest(request.href)
  return headers.get('Location') ?? ''
}

/** Creates a callback with these parameters and the state of the sign-in, without the stand-in. */
function createCallback({ request }: StartedSignIn, parameters: Record<string, string>): string {
  const state = request.searchParams.get('state') ?? ''
  return `${login}/api/auth/callback/tiktok?${new URLSearchParams({ ...parameters, state })}`
}

/** Opens the callback in the browser of the sign-in, and returns the reference of that request. */
function openCallback({ cookies }: StartedSignIn, callback: string): Promise<string> {
  return openPage(callback, cookies)
}

async function openPage(url: string, cookies: string): Promise<string> {
  const { headers } = await sendRequest(url, { headers: { Cookie: cookies, Accept: 'text/html' } })
  return headers.get('X-Request-Id') ?? ''
}

/** The cookies of a response, as a browser would send them back. */
function readCookies({ headers }: HttpResponse): string {
  const pairs = headers.getSetCookie().map((line) => line.split(';')[0])
  return pairs.join('; ')
}

async function explain(reference: string) {
  await waitForLog(reference)
  return vestibule(['explain', reference, '--log', log])
}

/**
 * Waits until the request is in the log, which is written shortly after the response, and returns
 * all lines.
 */
async function waitForLog(reference: string): Promise<string[]> {
  await expect.poll(() => readFileSync(log, 'utf8')).toContain(reference)
  return readFileSync(log, 'utf8').split('\n')
}
