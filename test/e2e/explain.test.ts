import { readFileSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { visit } from '../../doctor/visit.ts'
import { vestibule } from './vestibule.ts'

const { login } = inject('services')
const log = inject('log')

/** Where a sign-in stands: the browser's cookies, and the request it takes to the platform. */
interface Journey {
  cookies: string
  request: URL
  reference: string
}

describe('npx vestibule explain', () => {
  it('tells of a person who cancelled, step by step', async () => {
    const journey = await begin()
    const reference = await comeBack(journey, await answerOf(journey, 'deny'))
    const { output, status } = await explain(reference)

    expect(output).toBe(
      [
        '  1. It began: the browser was sent to the platform.',
        `  2. The person came back, and the sign-in failed with 403: access_denied. ← ${reference}`,
        '     The platform said: access_denied (the person cancelled, or the platform does not let this account sign in elsewhere).',
        '     The person saw: “Sign-in cancelled. You or the platform cancelled it. Nothing has changed.”',
        '',
        '  To do: Nothing: the person, or the platform, said no. If nobody pressed cancel, the account may be too young or restricted; the platform tells them more than us.',
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
      'non_sandbox_target (the account is not among',
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
      'server_error (it has trouble',
      'To do: Wait',
    ],
  ])('tells what %j means', async (answer, ...words) => {
    const journey = await begin()
    const callback = callbackOf(journey, answer)
    const { output } = await explain(await comeBack(journey, callback))

    for (const word of words) expect(output).toContain(word)
  })

  it('tells of a sign-in that went well, and of who came back twice', async () => {
    const journey = await begin()
    const callback = await answerOf(journey, 'user.info.basic')
    const done = await explain(await comeBack(journey, callback))
    expect(done.output).toMatch(/2\. The person came back, and was signed in as usr_/)
    expect(done.output).toContain('To do: Nothing: it went well.')

    const again = await explain(await comeBack(journey, callback))
    expect(again.output).toMatch(/3\. .*(failed|sent on|no such sign-in)/)
  })

  it('tells of one that has only begun, and of one that came from nowhere', async () => {
    const { reference } = await begin()
    const begun = await explain(reference)
    expect(begun.output).toContain('it has not come back')
    expect(begun.output).toContain('npx vestibule doctor --page <word>')

    const { headers } = await visit(`${login}/api/auth/callback/tiktok?code=x&state=unknown`)
    const lost = await explain(headers.get('X-Request-Id') ?? '')
    expect(lost.output).toContain('this browser has no such sign-in under way')
    expect(lost.output).toContain('Its beginning is not in this log')
  })

  it('tells of a phone that was waited for, and not of every time that it was', async () => {
    const start = await visit(`${login}/api/auth/signin/tiktok/qr`)
    const cookies = start.headers.getSetCookie().map((line) => line.split(';')[0])
    const wait = `${login}${start.headers.get('Location')}`
    const journey = { cookies: cookies.join('; '), request: new URL(wait), reference: '' }
    for (let count = 0; count < 3; count++) await comeBack(journey, wait)
    const reference = await comeBack(journey, wait)
    const { output } = await explain(reference)

    expect(output).toContain('1. The browser was shown a code for the phone.\n')
    expect(output).toContain(`2. The browser waited for the phone. ← ${reference}`)
    expect(output).not.toContain('3.')
  })

  it('takes a reference as it is read out on the phone, and the log from a pipe', async () => {
    const { reference } = await begin()
    await written(reference)
    const spoken = reference.toLowerCase().replace('-', ' ')
    const { output } = await vestibule(['explain', spoken], { input: readFileSync(log, 'utf8') })

    expect(output).toContain(`← ${reference}`)
  })

  it('reads what `wrangler tail` prints, with the times, and tells nothing else of it', async () => {
    const journey = await begin()
    const reference = await comeBack(journey, callbackOf(journey, { error: 'server_error' }))
    const lines = await written(reference)
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
    expect(output).toMatch(/1\. 2026-11-14 \d\d:\d\d:\d\d {2}It began/)
    expect(output + asJson.output).not.toContain('4711')
    expect(status).toBe(0)
  })

  it('survives whatever else is in a log', async () => {
    const { reference } = await begin()
    const [line = ''] = (await written(reference)).filter((one) => one.includes(reference))
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

    expect(output).toContain(`1. It began: the browser was sent to the platform. ← ${reference}`)
    expect(status).toBe(0)
  })

  it('names what an operator has to set right, and the first line of what went wrong inside', async () => {
    const input = [
      '{"requestId":"BBBBB-CCCCC","method":"GET","route":"/*","status":500,"code":"configuration","trouble":["AUTH_SECRET is missing.","AUTH_URL is missing."]}',
      '{"requestId":"BBBBB-DDDDD","method":"GET","route":"/account","status":500,"code":"internal","trouble":"TypeError: \\u001b[2Jbroken\\n    at secret-place"}',
    ].join('\n')
    const settings = await vestibule(['explain', 'BBBBB-CCCCC'], { input })
    expect(settings.output).toContain('Trouble: AUTH_URL is missing.')
    expect(settings.output).toContain(
      'To do: Correct the settings that are named: npx vestibule doctor',
    )

    const inside = await vestibule(['explain', 'BBBBB-DDDDD'], { input })
    expect(inside.output).toContain('Trouble: TypeError:  [2Jbroken')
    for (const text of ['\u001B', 'secret-place']) expect(inside.output).not.toContain(text)
  })

  it('says how to get the log when the reference is not in it', async () => {
    const { output, status } = await vestibule(['explain', 'BBBBB-BBBBB', '--log', log])

    expect(output).toContain('BBBBB-BBBBB is not in this log.')
    expect(output).toContain('Query Builder')
    expect(output).toContain('npx wrangler tail --format json')
    expect(status).toBe(1)
  })
})

/** From our sign-in to the platform. */
async function begin(): Promise<Journey> {
  const { headers } = await visit(`${login}/api/auth/signin/tiktok`)
  return {
    cookies: headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
    request: new URL(headers.get('Location') ?? ''),
    reference: headers.get('X-Request-Id') ?? '',
  }
}

/** What the stand-in sends a person back with who grants this. */
async function answerOf({ request }: Journey, grant: string): Promise<string> {
  request.searchParams.set('__as', 'noah')
  request.searchParams.set('__grant', grant)
  const { headers } = await visit(request.href)
  return headers.get('Location') ?? ''
}

/** An answer of our own making, to an attempt that is real. */
function callbackOf({ request }: Journey, answer: Record<string, string>): string {
  const state = request.searchParams.get('state') ?? ''
  return `${login}/api/auth/callback/tiktok?${new URLSearchParams({ ...answer, state })}`
}

/** Back from the platform; says which reference the person could report. */
async function comeBack({ cookies }: Journey, callback: string): Promise<string> {
  const { headers } = await visit(callback, { headers: { Cookie: cookies, Accept: 'text/html' } })
  return headers.get('X-Request-Id') ?? ''
}

async function explain(reference: string) {
  await written(reference)
  return vestibule(['explain', reference, '--log', log])
}

/** The log reaches its file a moment after the answer. */
async function written(reference: string): Promise<string[]> {
  await expect.poll(() => readFileSync(log, 'utf8')).toContain(reference)
  return readFileSync(log, 'utf8').split('\n')
}
