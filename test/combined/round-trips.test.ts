import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { Hono } from 'hono'
import { UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { convertExport } from '../../cli/admin/export-formats.ts'
import { paginate } from '../../src/administration/resources.ts'
import type { AppEnv } from '../../src/core/http/app-env.ts'
import { readSealedCookie, SEALED_COOKIES, setSealedCookie } from '../../src/core/http/cookies.ts'
import { signInUrl } from '../../src/core/interaction/interaction.ts'
import { en } from '../../src/core/messages/en.ts'
import { createMessages } from '../../src/core/messages/messages.ts'
import { formatCsv } from '../../src/features/admin/console/audit-csv.ts'
import { keyUri } from '../../src/features/totp/one-time-code.ts'
import { openUnexpired, sealUntil } from '../../src/foundation/crypto/expiring-seal.ts'
import { Seal } from '../../src/foundation/crypto/seal.ts'
import { toBase64Url } from '../../src/libraries/client/base64url.ts'
import { decodeClaims } from '../../src/libraries/client/claims.ts'
import { Cookies } from '../../src/libraries/server/cookies.ts'
import { readOptions } from '../../src/libraries/server/options.ts'
import { anyCharacter } from '../any-character.ts'
import { readConfig } from '../deployment.ts'

const RUNS = 100

/** Also what formats use themselves, more than once in a text. */
const character = fc.oneof(anyCharacter, fc.constantFrom(...'"\'-_+/=%&$?;:.,\\ \n\uFEFF'))

const SECRET = 'the first secret, which seals: 1234567'
const FORMER_SECRET = 'the former secret, which opens: 1234567'
const seal = new Seal([SECRET, FORMER_SECRET])
const formerSeal = new Seal([FORMER_SECRET])

const app = readOptions({
  url: 'https://login.example',
  clientId: 'web',
  clientSecret: 'secret',
  secret: SECRET,
  origin: 'https://web.example',
})

type SealedCookie = Parameters<typeof setSealedCookie>[1]

/** Responds with what it reads from the cookie that an earlier response has set. */
function cookieService(name: SealedCookie) {
  const config = readConfig(env)
  return new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('config', config)
      await next()
    })
    .post('/', async (c) => {
      await setSealedCookie(c, name, { value: await c.req.json(), maxAge: 60 })
      return c.json({})
    })
    .get('/', async (c) => c.json(await readSealedCookie(c, name)))
}

function throughCookie(name: SealedCookie, change = (text: string) => text) {
  const service = cookieService(name)
  return async (text: string) => {
    const body = JSON.stringify(change(text))
    const { headers } = await service.request('/', { method: 'POST', body })
    const Cookie = headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
    const read = await (await service.request('/', { headers: { Cookie } })).json()
    return read === change(text) ? text : read
  }
}

/** The cells of a table (RFC 4180), which begin with what a spreadsheet shows and does not run. */
function readCells(csv: string): string[] {
  return Array.from(csv.matchAll(/"((?:[^"]|"")*)"/g), ([, cell = '']) =>
    cell.replaceAll('""', '"'),
  )
}

/** What is written somewhere and read again: each returns the text that was read. */
const PAIRS: Record<string, (text: string) => unknown> = {
  'a token of this service, in the client library': (text) =>
    decodeClaims<{ name: string }>(new UnsecuredJWT({ name: text }).encode()).name,
  'a token, encoded by the client library': (text) =>
    decodeClaims(`.${toBase64Url(new TextEncoder().encode(JSON.stringify(text)))}.`),
  'a seal': async (text) => seal.open('notice', text, await seal.seal('notice', text, text)),
  'a seal of a former secret, which is renewed': async (text) => {
    const sealed = await formerSeal.seal('link', text, text)
    const opened = await seal.openAndRenew('link', text, sealed)
    return opened?.text === text
      ? new Seal([SECRET]).open('link', text, opened.renewed ?? '')
      : opened?.text
  },
  'a seal that expires': async (text) => {
    const use = { purpose: 'link', context: text } as const
    const sealed = await sealUntil(seal, Math.floor(Date.now() / 1000) + 60, { ...use, text })
    return openUnexpired(seal, sealed, use)
  },
  ...Object.fromEntries(
    SEALED_COOKIES.map((name) => [`the cookie ${name}`, throughCookie(name)] as const),
  ),
  'a cookie in parts': throughCookie('interaction.id', (text) => text.padEnd(3000, '李')),
  'a cookie of the server library': async (text) => {
    const cookies = new Cookies(app)
    const cookie = (await cookies.seal(cookies.session, { text }, 60)) ?? ''
    const headers = new Headers({ Cookie: `other=1; ${cookie.split(';')[0]}` })
    return (await cookies.open<{ text: string }>({ headers }, cookies.session))?.text
  },
  'the audit log as a table': (text) => {
    const csv = formatCsv([{ at: 0, event: 'session_opened', detail: text } as never])
    const cell = readCells(csv).at(-1) ?? ''
    return cell === `'${text}` && /^[=+\-@\t\r]/.test(text) ? text : cell
  },
  'an export of Firebase': (text) =>
    JSON.parse(
      convertExport('firebase', JSON.stringify({ users: [{ localId: '1', displayName: text }] })),
    ).name,
  'an export of Auth0, one user per line': (text) =>
    JSON.parse(convertExport('auth0', `\n${JSON.stringify({ user_id: '1', name: text })}\n`)).name,
  'a cursor of a list': (text) => {
    const items = ['first', `.${text}`, 'last']
    const cursor = paginate(items, { limit: 2 }, (item) => item).next_cursor
    return paginate(items, { cursor, limit: 1 }, (item) => item).items[0] === 'last' ? text : cursor
  },
  'a parameter of a sign-in page': (text) =>
    new URL(
      signInUrl({ id: '1' } as never, '/signin', { prompt: `.${text}` }),
      app.url,
    ).searchParams
      .get('prompt')
      ?.slice(1),
  'a value in a sentence': (text) =>
    createMessages('en', { ...en, test: 'Of {name}, {name}.' }).find('test', { name: text }) ===
    `Of ${text}, ${text}.`
      ? text
      : undefined,
  'the key of an authenticator app': (text) => {
    const { pathname, searchParams } = new URL(
      keyUri(new Uint8Array(20), { issuer: text, user: 'mia' }),
    )
    return decodeURIComponent(pathname).endsWith(`/${text}:mia`)
      ? searchParams.get('issuer')
      : pathname
  },
}

describe.each(Object.entries(PAIRS))('%s', (_, writeAndRead) => {
  it('has the same text as before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, maxLength: 30 }), async (text) => {
        expect(await writeAndRead(text)).toBe(text)
      }),
      { numRuns: RUNS, examples: [[''], ['\uFEFFa'], ['$& $1 $$'], ['"%41+"\r\n;=,']] },
    )
  })
})
