import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { codeOf } from '../../../src/features/totp/one-time-code.ts'
import { Browser, issuedSecrets, LOGIN, serviceOf } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { hiddenFields } from '../../html.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { demanding, optional } from './totp-deployment.ts'

const PERIOD = 30 // seconds

export function optionalService(changes: Record<string, unknown> = {}) {
  return serviceOf(optional, { USERS: env.TEST_TOTP_USERS, ...changes })
}

export function demandingService() {
  return serviceOf(demanding, { USERS: env.TEST_DEMANDED_TOTP_USERS })
}

/** What a user knows and has. */
export interface TotpUser {
  name: string
  secret: Uint8Array<ArrayBuffer>
  recoveryCodes: string[]
}

/** Signs in with a name, which is all that this needs. Returns the response. */
export async function signInByName(
  browser: Browser,
  name: string,
  query: Record<string, string> = {},
): Promise<Response> {
  const page = await browser.get(`/api/auth/signin?${new URLSearchParams(query)}`, OWN_PAGE)
  const form = Object.fromEntries(hiddenFields(await page.text()))
  return browser.post('/api/auth/callback/credentials', { ...form, 'credential.name': name })
}

/** Sends the form of a page. */
export async function submit(
  browser: Browser,
  path: string,
  fields: Record<string, string>,
  page?: string,
): Promise<Response> {
  const html = page ?? (await (await browser.get(path, OWN_PAGE)).text())
  return browser.post(path, { ...Object.fromEntries(hiddenFields(html)), ...fields })
}

/** The secret that a page shows, as an app reads it. */
export function readSecret(page: string): Uint8Array<ArrayBuffer> {
  const [, text = ''] = page.match(/<code dir="ltr">([A-Z2-7 ]+)<\/code>/) ?? []
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text.replaceAll(' ', ''), (character) =>
    alphabet.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  issuedSecrets.add(text.replaceAll(' ', ''))
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

export function readRecoveryCodes(page: string): string[] {
  const codes = [...page.matchAll(/<code>([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})<\/code>/g)]
  for (const [, code = ''] of codes) issuedSecrets.add(code)
  return codes.map(([, code = '']) => code)
}

/** What the app shows now. */
export function currentCode(secret: Uint8Array<ArrayBuffer>, later = 0): Promise<string> {
  return codeOf(secret, Math.floor(Date.now() / 1000 / PERIOD) + later)
}

/** The code of the next period, at its time. */
export function nextCode(secret: Uint8Array<ArrayBuffer>): Promise<string> {
  advanceClock(PERIOD)
  return currentCode(secret)
}

/** A code that is wrong now. */
export async function wrongCode(secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const right = await Promise.all([-1, 0, 1].map((later) => currentCode(secret, later)))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
}

/** Adds an app on this page. */
export async function addApp(
  browser: Browser,
  path = '/totp/add',
): Promise<Omit<TotpUser, 'name'>> {
  const page = await (await browser.get(path, OWN_PAGE)).text()
  const secret = readSecret(page)
  expect(secret).toHaveLength(20)
  const added = await submit(browser, path, { code: await currentCode(secret) }, page)
  return { secret, recoveryCodes: readRecoveryCodes(await added.text()) }
}

/** A user whose second factor counts, and the browser in which they added it. */
export async function newTotpUser(
  service = optionalService(),
): Promise<TotpUser & { browser: Browser }> {
  const name = `user-${crypto.randomUUID()}`
  const browser = new Browser(service)
  await signInByName(browser, name)
  return { name, browser, ...(await addApp(browser)) }
}

/** Signs in elsewhere with the first factor only. Returns the page that asks for the code. */
export async function signInPending(name: string, service = optionalService()) {
  const browser = new Browser(service)
  const path = await continuePath(await signInByName(browser, name))
  expect(path).toMatch(/^\/totp\?/)
  return { browser, path }
}

/** Where a page leads that was shown after a form was sent, without the origin of the service. */
export async function continuePath(response: Response): Promise<string> {
  return (await continueUrl(response)).replace(LOGIN, '')
}
