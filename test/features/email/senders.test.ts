import { describe, expect, it, vi } from 'vitest'
import { options } from '../../../src/deployment.ts'
import type { EmailSender, EmailUserConfig } from '../../../src/provider-interface/local-types.ts'
import {
  CloudflareSender,
  Email,
  PostmarkSender,
  RecipientRejectedError,
  ResendSender,
  SesSender,
} from '../../../src/providers.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, lastLogEntry, serviceOf, WITHOUT_TIKTOK } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { errorCode } from '../../html.ts'
import { sha256Hex } from '../../sha256-hex.ts'
import { newAddress, requestMessage } from './email-browser.ts'

const EMAIL = {
  from: 'Acme <login@acme.example>',
  to: 'mia@mail.example',
  subject: 'Sign in',
  text: 'Code: 123456',
  html: '<p>Code: 123456</p>',
  idempotencyKey: 'key-1',
}

/** Sends one message with a fetch that responds like this. Returns the request. */
async function send(sender: EmailSender, settings: Record<string, string>, response: Response) {
  const fetch = vi.fn(async (_url: string, _init?: RequestInit) => response)
  await sender.send(EMAIL, { settings, binding: undefined, fetch })
  const [url, init] = fetch.mock.lastCall ?? []
  return {
    url,
    method: init?.method,
    headers: new Headers(init?.headers),
    body: JSON.parse(String(init?.body)),
  }
}

/** A deployment that sends with this sender. */
function serviceWithSender(sender: EmailSender, settings: Record<string, unknown>) {
  const email = Email({ from: EMAIL.from, sender })
  const vestibule = createVestibule({ ...options, providers: [...options.providers, email] })
  return new Browser(serviceOf(vestibule, settings))
}

describe('ResendSender', () => {
  const settings = { AUTH_RESEND_KEY: 're_12345678' }

  it('calls the API of Resend', async () => {
    const request = await send(ResendSender(), settings, Response.json({ id: 'x' }))

    expect(request).toMatchObject({ url: 'https://api.resend.com/emails', method: 'POST' })
    expect(request.headers.get('Authorization')).toBe('Bearer re_12345678')
    expect(request.headers.get('Idempotency-Key')).toBe('key-1')
    expect(request.body).toEqual({
      from: EMAIL.from,
      to: [EMAIL.to],
      subject: EMAIL.subject,
      text: EMAIL.text,
      html: EMAIL.html,
    })
  })

  it('reports the status and the error code, and nothing else of the response', async () => {
    const response = Response.json(
      { name: 'validation_error', message: `Invalid to: ${EMAIL.to}` },
      { status: 422 },
    )

    await expect(send(ResendSender(), settings, response)).rejects.toThrow(
      /^Resend responded with 422: validation_error\.$/,
    )
  })

  it.each(['<html>', '{}', '[]', ''])('reports a response without a code: %j', async (body) => {
    const response = new Response(body, { status: 500 })

    await expect(send(ResendSender(), settings, response)).rejects.toThrow(
      'Resend responded with 500: no readable error code.',
    )
  })
})

describe('PostmarkSender', () => {
  const settings = { AUTH_POSTMARK_KEY: '00000000-1111-2222-3333-444444444444' }

  it('calls the API of Postmark, without tracking', async () => {
    const sender = PostmarkSender({ messageStream: 'sign-in' })
    const request = await send(sender, settings, Response.json({ ErrorCode: 0 }))

    expect(request).toMatchObject({ url: 'https://api.postmarkapp.com/email', method: 'POST' })
    expect(request.headers.get('X-Postmark-Server-Token')).toBe(settings.AUTH_POSTMARK_KEY)
    expect(request.body).toEqual({
      From: EMAIL.from,
      To: EMAIL.to,
      Subject: EMAIL.subject,
      TextBody: EMAIL.text,
      HtmlBody: EMAIL.html,
      TrackLinks: 'None',
      TrackOpens: false,
      MessageStream: 'sign-in',
    })
  })

  it('[U1] distinguishes a recipient who is rejected from other errors', async () => {
    const rejection = (code: number) => Response.json({ ErrorCode: code }, { status: 422 })

    await expect(send(PostmarkSender(), settings, rejection(406))).rejects.toThrow(
      RecipientRejectedError,
    )
    await expect(send(PostmarkSender(), settings, rejection(400))).rejects.toThrow(
      'Postmark responded with 422: 400.',
    )
  })
})

/**
 * The header that authenticates a request to SES with this secret.
 * {@link https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html}
 */
async function awsAuthorization(
  request: Awaited<ReturnType<typeof send>>,
  secret: string,
): Promise<string> {
  const { host, pathname } = new URL(request.url ?? '')
  const time = request.headers.get('x-amz-date') ?? ''
  const scope = [time.slice(0, 8), 'eu-north-1', 'ses', 'aws4_request']
  const canonicalRequest = [
    'POST',
    pathname,
    '',
    `host:${host}`,
    `x-amz-date:${time}`,
    '',
    'host;x-amz-date',
    await sha256Hex(JSON.stringify(request.body)),
  ].join('\n')
  const signed = `AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n${await sha256Hex(canonicalRequest)}`
  let key: Uint8Array = new TextEncoder().encode(`AWS4${secret}`)
  for (const part of scope) key = await hmac(key, part)
  const signature = (await hmac(key, signed)).toHex()
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE1234567/${scope.join('/')}, SignedHeaders=host;x-amz-date, Signature=${signature}`
}

async function hmac(key: Uint8Array, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text)))
}

describe('SesSender', () => {
  const settings = {
    AUTH_SES_ACCESS_KEY_ID: 'AKIDEXAMPLE1234567',
    AUTH_SES_SECRET_ACCESS_KEY: 'secret',
    AUTH_SES_REGION: 'eu-north-1',
  }

  it('calls the API of SES in its region, with a signature', async () => {
    const request = await send(SesSender(), settings, Response.json({ MessageId: 'x' }))

    expect(request.url).toBe('https://email.eu-north-1.amazonaws.com/v2/email/outbound-emails')
    expect(request.headers.get('authorization')).toBe(
      await awsAuthorization(request, settings.AUTH_SES_SECRET_ACCESS_KEY),
    )
    expect(request.body).toMatchObject({
      FromEmailAddress: EMAIL.from,
      Destination: { ToAddresses: [EMAIL.to] },
      Content: { Simple: { Subject: { Data: EMAIL.subject, Charset: 'UTF-8' } } },
    })
  })

  it('reports the error type', async () => {
    const headers = { 'x-amzn-ErrorType': 'MessageRejected:http://internal.amazon.com/' }
    const response = new Response('{"message":"mia@mail.example"}', { status: 400, headers })

    await expect(send(SesSender(), settings, response)).rejects.toThrow(
      /^Amazon SES responded with 400: MessageRejected\.$/,
    )
  })
})

describe('CloudflareSender', () => {
  it('sends through the binding', async () => {
    const send = vi.fn()
    const browser = serviceWithSender(CloudflareSender(), { EMAIL: { send } })
    const address = newAddress()

    const response = await browser.post('/api/auth/signin/email', { email: address })

    expect(response.status).toBe(303)
    expect(send).toHaveBeenCalledExactlyOnceWith({
      from: { name: 'Acme', email: 'login@acme.example' },
      to: address,
      subject: expect.stringMatching(/^\d{6} · Your code to sign in to login\.example$/),
      text: expect.stringMatching(/^\d{6}$/m),
      html: expect.stringContaining('<!doctype html>'),
    })
  })

  it('[U1] shows the same page if the recipient is rejected, and an error if the sender is', async () => {
    const failWith = (code: string) => ({
      EMAIL: { send: () => Promise.reject(Object.assign(new Error('x'), { code })) },
    })
    const request = (settings: Record<string, unknown>) =>
      serviceWithSender(CloudflareSender(), settings).post('/api/auth/signin/email', {
        email: newAddress(),
      })

    const suppressed = await request(failWith('E_RECIPIENT_SUPPRESSED'))
    expect(suppressed.status).toBe(303)
    expect(lastLogEntry('email_rejected').cause).toBe('Cloudflare: E_RECIPIENT_SUPPRESSED.')
    const unverified = await request(failWith('E_SENDER_NOT_VERIFIED'))
    expect(await errorCode(unverified)).toBe('unavailable')
    expect(lastLogEntry('email_failed').cause).toContain('E_SENDER_NOT_VERIFIED')
  })

  it('is not ready without its binding', async () => {
    const browser = serviceWithSender(CloudflareSender(), { USER_RATE_LIMIT: undefined })

    const response = await browser.get('/readyz')

    expect(await response.json()).toMatchObject({
      status: 'not_ready',
      checks: expect.arrayContaining([
        expect.objectContaining({
          name: 'binding EMAIL',
          ready: false,
          fix: 'Add these lines to wrangler.toml, and deploy: [[send_email]]\nname = "EMAIL"',
        }),
      ]),
    })
  })
})

describe('a sender', () => {
  it('gets another key for each message, so that none of them is taken for a repeated one', async () => {
    const keys: string[] = []
    const sender: EmailSender = {
      name: 'Test',
      settings: [],
      async send({ idempotencyKey }) {
        keys.push(idempotencyKey)
      },
    }
    const browser = serviceWithSender(sender, {})
    const page = await requestMessage(browser, newAddress())
    advanceClock(31)
    await browser.post(`${page}/again`, {})
    await requestMessage(browser, newAddress())

    expect(new Set(keys).size).toBe(3)
  })
})

describe('the settings of a sender', () => {
  /** The problems that the service reports at its first request. */
  async function problems(config: EmailUserConfig, settings: Record<string, unknown>) {
    const vestibule = createVestibule({ ...options, providers: [Email(config)] })
    const deployment = { AUTH_URL: 'http://localhost:8787', ...WITHOUT_TIKTOK, ...settings }
    const browser = new Browser(serviceOf(vestibule, deployment), 'http://localhost:8787')
    const response = await browser.get('/api/auth/signin', { Accept: 'application/json' })
    if (response.status !== 500) return []
    return (await response.json<{ problems: string[] }>()).problems
  }

  it('disable only the email provider if they are incomplete', async () => {
    const browser = serviceWithSender(ResendSender(), {})

    expect(await (await browser.get('/api/auth/signin')).text()).not.toContain('signin/email')
    for (const path of ['/api/auth/signin/email', '/api/auth/callback/email?token=x']) {
      expect(await errorCode(await browser.get(path))).toBe('provider_unknown')
    }
    const request = browser.post('/api/auth/signin/email', { email: newAddress() })
    expect(await errorCode(await request)).toBe('provider_unknown')
    await browser.signIn('mia')
  })

  it.each<[string, EmailUserConfig, Record<string, unknown>, string[]]>([
    [
      'are complete',
      { sender: ResendSender() },
      { AUTH_RESEND_KEY: 're_12345678', AUTH_EMAIL_FROM: 'a@b.example' },
      [],
    ],
    [
      'lack the key',
      { from: 'a@b.example', sender: ResendSender() },
      {},
      ['AUTH_RESEND_KEY is missing.'],
    ],
    [
      'have a key of another service',
      { from: 'a@b.example', sender: ResendSender() },
      { AUTH_RESEND_KEY: 'SG.123456789' },
      ['AUTH_RESEND_KEY must be an API key of Resend, which begins with re_.'],
    ],
    [
      'lack the address',
      { sender: ResendSender() },
      { AUTH_RESEND_KEY: 're_12345678' },
      ['AUTH_EMAIL_FROM is missing.'],
    ],
    ...['a@b.example, c@d.example', 'a@b', 'Acme <a"b@c.example>', 'a@b_c.example'].map(
      (from): [string, EmailUserConfig, Record<string, unknown>, string[]] => [
        `have a sender that the option from rejects, too: ${from}`,
        { sender: ResendSender() },
        { AUTH_RESEND_KEY: 're_12345678', AUTH_EMAIL_FROM: from },
        [
          'AUTH_EMAIL_FROM must be an address, or a name and an address: Acme <login@acme.example>.',
        ],
      ],
    ),
    [
      'are those of SES',
      { from: 'a@b.example', sender: SesSender() },
      { AUTH_SES_REGION: 'Stockholm' },
      [
        'AUTH_SES_ACCESS_KEY_ID is missing.',
        'AUTH_SES_SECRET_ACCESS_KEY is missing.',
        'AUTH_SES_REGION must be a region such as eu-north-1.',
      ],
    ],
    [
      'belong to no sender',
      { from: 'a@b.example', sender: ResendSender() },
      { AUTH_RESEND_KEY: 're_12345678', AUTH_POSTMARK_KEY: 'x' },
      ['AUTH_POSTMARK_KEY is not a setting of this service.'],
    ],
  ])('are reported if they %s', async (_, config, settings, expected) => {
    expect(await problems(config, settings)).toEqual(expected)
  })
})

describe('the options of an email provider', () => {
  const sendVerificationRequest = () => undefined

  it.each<[string, object, string]>([
    ['no sender', {}, 'providers.email cannot send messages'],
    ['two senders', { sendVerificationRequest, sender: ResendSender() }, 'remove one of them'],
    [
      'an SMTP server',
      { sendVerificationRequest, server: 'smtp://x' },
      'server is not supported. Workers cannot send email by SMTP',
    ],
    ['an API key in code', { sendVerificationRequest, apiKey: 'x' }, 'apiKey is not supported.'],
    [
      'codes of its own',
      { sendVerificationRequest, generateVerificationToken: () => '1' },
      'generateVerificationToken is not supported.',
    ],
    [
      'a lifetime of a day',
      { sendVerificationRequest, maxAge: 86_400 },
      'maxAge must be a whole number of seconds from 60 to 600.',
    ],
    ['a lifetime of NaN', { sendVerificationRequest, maxAge: Number.NaN }, 'maxAge must be'],
    [
      'a line break in from',
      { sendVerificationRequest, from: 'a@b.example\r\nBcc: c@d.example' },
      'from must be an address',
    ],
    ['a sender that is a text', { sender: 'resend' }, 'sender must be the result of a function'],
    [
      'a binding that cannot exist',
      { sender: CloudflareSender({ binding: 'a b' }) },
      'sender.binding must be the name of a binding.',
    ],
  ])('with %s are reported at start', (_, config, problem) => {
    const providers = [Email(config as EmailUserConfig)]

    expect(() => createVestibule({ providers })).toThrow(problem)
  })

  it('without the function are reported at start', () => {
    const providers = [
      { id: 'email', name: 'Email', type: 'email', sendVerificationRequest },
    ] as const

    expect(() => createVestibule({ providers })).toThrow(
      'providers.email has the type email: create it with Email() of vestibule-auth/providers.',
    )
  })
})
