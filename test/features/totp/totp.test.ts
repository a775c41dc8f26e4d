import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import jsQR from 'jsqr'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../src/features/totp/one-time-code.ts'
import { openUnexpired } from '../../../src/foundation/crypto/expiring-seal.ts'
import { Seal } from '../../../src/foundation/crypto/seal.ts'
import { Browser } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, stopClock } from '../../clock.ts'
import { findLink, hiddenFields } from '../../html.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { createPlatformUser } from '../../new-user.ts'
import { addressAfterSignIn, redirectUrl } from '../../redirect.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { addPasskey, openSignInPage } from '../passkeys/passkey-user.ts'
import {
  addApp,
  continuePath,
  currentCode,
  demandingService,
  newTotpUser,
  nextCode,
  optionalService,
  readRecoveryCodes,
  readSecret,
  signInByName,
  signInPending,
  submit,
  wrongCode,
} from './totp-browser.ts'

const utf8 = new TextEncoder()

/** What the audit log has about the second factor of this user, the oldest first. */
async function recordedEvents(browser: Browser): Promise<string[]> {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT event, detail FROM audit WHERE subject = ? ORDER BY id',
  )
    .bind((await browser.session())?.user.id ?? '')
    .all<{ event: string; detail: string | null }>()
  return results
    .filter(({ event }) => /^(second_factor|recovery_code)/.test(event))
    .map(({ event, detail }) => (detail === null ? event : `${event}: ${detail}`))
}

/** What the session token of a browser says about the sign-in. */
async function readClaims(browser: Browser) {
  const session = await browser.session()
  return session ? decodeJwt<{ amr?: string[]; acr?: string }>(session.token) : undefined
}

describe('codes', () => {
  /** {@link https://www.rfc-editor.org/rfc/rfc6238#appendix-B}, the last six digits */
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %d are those of RFC 6238', async (time, code) => {
    const secret = Uint8Array.from(utf8.encode('12345678901234567890'))

    expect(await codeOf(secret, Math.floor(time / 30))).toBe(code)
  })
})

describe('a second factor', () => {
  it('is added with a QR code, and shows ten recovery codes once', async () => {
    const browser = new Browser(optionalService())
    await signInByName(browser, `user-${crypto.randomUUID()}`)
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()

    expect(page).toContain('class="qr"')
    expect(page).toMatch(
      /otpauth:\/\/totp\/login\.example:user-[\w-]+\?secret=[A-Z2-7]{32}&amp;issuer=login\.example/,
    )

    const { recoveryCodes } = await addApp(browser)

    expect(new Set(recoveryCodes).size).toBe(10)
    const account = await (await browser.get('/account')).text()
    expect(account).toContain('You need a code of your authenticator app')
    expect(account).not.toContain(recoveryCodes[0])
  })

  it('is not offered again with a secret that was used, also after a wrong code', async () => {
    stopClock()
    const browser = new Browser(optionalService())
    await signInByName(browser, `user-${crypto.randomUUID()}`)
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
    const secret = readSecret(page)
    const added = await submit(browser, '/totp/add', { code: await currentCode(secret) }, page)
    const [present = ''] = readRecoveryCodes(await added.text())
    await submit(browser, '/totp/remove', { present })

    const refused = await submit(browser, '/totp/add', { code: await wrongCode(secret) }, page)

    expect(readSecret(await refused.text())).not.toEqual(secret)
  })

  it('[R1] is added, and recorded, five times in a quarter of an hour', async () => {
    stopClock()
    const { name, browser, ...first } = await newTotpUser()
    let [present = ''] = first.recoveryCodes
    const added: boolean[] = []
    for (let change = 0; change < 6; change += 1) {
      await submit(browser, '/totp/remove', { present })
      const { recoveryCodes } = await addApp(browser)
      added.push(recoveryCodes.length > 0)
      present = recoveryCodes[0] ?? present
    }

    expect(added).toEqual([true, true, true, true, false, false])
    const events = await recordedEvents(browser)
    expect(events.filter((event) => event.startsWith('second_factor_added'))).toHaveLength(5)
    expect(events).toHaveLength(15)
    advanceClock(15 * MINUTE)
    const later = new Browser(optionalService())
    await signInByName(later, name)
    expect((await addApp(later)).recoveryCodes).toHaveLength(10)
  })

  it.each([true, false])(
    'offers to end other sessions after it was added, if there are any: %s',
    async (hasOther) => {
      const name = `user-${crypto.randomUUID()}`
      const [browser, other] = [new Browser(optionalService()), new Browser(optionalService())]
      if (hasOther) await signInByName(other, name)
      await signInByName(browser, name)
      const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
      const code = await currentCode(readSecret(page))
      const added = await (await submit(browser, '/totp/add', { code }, page)).text()
      readRecoveryCodes(added)

      const account = await (await browser.get(findLink(added, '/account'))).text()

      const [, notice = ''] = account.match(/role="status">(.*?)<\/div>/s) ?? []
      expect(notice).toContain('The authenticator app was added.')
      expect(notice.includes('name="sid" value="others"')).toBe(hasOther)
    },
  )

  it('continues to the page that the user came from after a recovery code, too', async () => {
    const { name, recoveryCodes } = await newTotpUser()
    const callbackUrl = 'https://shop.example/orders'
    const browser = new Browser(optionalService())
    const path = await continuePath(await signInByName(browser, name, { callbackUrl }))
    const recovery = findLink(await (await browser.get(path)).text(), '/totp/recovery')

    const accepted = await submit(browser, recovery, { code: recoveryCodes[0] ?? '' })

    expect(findLink(await accepted.text(), '/account')).toContain('/account?interaction=')
  })

  it('is not added with a wrong code, and the page keeps its secret', async () => {
    stopClock()
    const browser = new Browser(optionalService())
    await signInByName(browser, `user-${crypto.randomUUID()}`)
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
    const secret = readSecret(page)

    const refused = await submit(browser, '/totp/add', { code: await wrongCode(secret) }, page)

    const again = await refused.text()
    expect(readSecret(again)).toEqual(secret)
    expect(again).toContain('This code is wrong')
    expect(await (await browser.get('/account')).text()).toContain('No code is asked for')
  })

  it('[S1] is asked for before the session counts, and becomes part of it', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const { browser, path } = await signInPending(name)

    expect(await browser.session()).toBeNull()

    await submit(browser, path, { code: await nextCode(secret) })

    expect(await readClaims(browser)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
  })

  it('continues to the page that the user came from', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const { browser, path: first } = await signInPending(name)
    await submit(browser, first, { code: await nextCode(secret) })
    // Otherwise it shows first what has changed.
    await browser.get('/account')
    const callbackUrl = 'https://shop.example/orders'
    const path = await continuePath(await signInByName(browser, name, { callbackUrl }))

    const response = await submit(browser, path, { code: await nextCode(secret) })

    expect(await continuePath(response)).toBe(callbackUrl)
  })

  it.each([
    ['of the period before', -1],
    ['of the next period', 1],
  ])('accepts the code %s, for clocks that differ', async (_, later) => {
    stopClock()
    const { name, secret } = await newTotpUser()
    advanceClock(10 * MINUTE)
    const { browser, path } = await signInPending(name)

    await submit(browser, path, { code: await currentCode(secret, later) })

    expect(await browser.session()).not.toBeNull()
  })

  it('accepts a code that is typed as apps show it, with a space', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const { browser, path } = await signInPending(name)

    await submit(browser, path, { code: (await nextCode(secret)).replace(/^.{3}/, ' $& ') })

    expect(await browser.session()).not.toBeNull()
  })

  it.each([-2, 2])('rejects the code of %d periods later', async (later) => {
    stopClock()
    const { name, secret } = await newTotpUser()
    advanceClock(10 * MINUTE)
    const { browser, path } = await signInPending(name)

    const response = await submit(browser, path, { code: await currentCode(secret, later) })

    expect(await response.text()).toContain('This code is wrong')
    expect(await browser.session()).toBeNull()
  })

  it('[O3] needs a recovery code if no secret opens it, which its page, /readyz and the audit log say', async () => {
    stopClock()
    const AUTH_SECRET = 'hM3rW8kZ5tLq2XvB9nCy7JfDg4SpTa1EoUi6RwKxNz0'
    const { name, browser: owner, secret, recoveryCodes } = await newTotpUser()
    const replaced = optionalService({ AUTH_SECRET })
    const { browser, path } = await signInPending(name, replaced)

    const page = await (await browser.get(path)).text()
    const refused = await submit(browser, path, { code: await nextCode(secret) }, page)
    const recovery = findLink(page, '/totp/recovery')
    const accepted = await submit(browser, recovery, { code: recoveryCodes[0] ?? '' })

    for (const text of [page, await refused.text()]) {
      expect(text).toContain('cannot be checked here any more. Use a recovery code')
      expect(text).not.toContain('name="code"')
    }
    expect(await accepted.text()).toContain('You have 9 recovery codes left.')
    expect((await recordedEvents(owner)).toSorted()).toEqual([
      'recovery_code_used: 9',
      'second_factor_added',
      'second_factor_unreadable',
    ])
    const { checks } = await (await browser.get('/readyz')).json<{
      checks: { name: string; ready: boolean; problem?: string; fix?: string }[]
    }>()
    expect(checks.find((check) => check.name === 'totp')).toEqual({
      name: 'totp',
      ready: true,
      problem: expect.stringContaining('because AUTH_SECRET was replaced: 1.'),
      fix: expect.stringContaining('Set AUTH_SECRET_LEAKED to the former value'),
    })
  })

  it('can be left on its page for another way to sign in', async () => {
    const { name } = await newTotpUser()
    const { browser, path } = await signInPending(name)
    const other = findLink(await (await browser.get(path)).text(), '/api/auth/signin')

    expect(await (await browser.get(other, OWN_PAGE)).text()).toContain('name="credential.name"')
  })

  it.each(['AUTH_SECRET_1', 'AUTH_SECRET_LEAKED'])(
    '[O3] is sealed again with AUTH_SECRET when a code is used after that became %s',
    async (former) => {
      stopClock()
      const AUTH_SECRET = 'hM3rW8kZ5tLq2XvB9nCy7JfDg4SpTa1EoUi6RwKxNz0'
      const { name, browser: owner, secret } = await newTotpUser()
      const userId = (await owner.session())?.user.id ?? ''
      const replaced = optionalService({ AUTH_SECRET, [former]: env.AUTH_SECRET })
      const { browser, path } = await signInPending(name, replaced)

      await submit(browser, path, { code: await nextCode(secret) })

      const object = env.TEST_TOTP_USERS.get(env.TEST_TOTP_USERS.idFromName(userId))
      const record = await object.readRecord('totp', 'factor')
      const { secret: sealed } = JSON.parse(record?.value ?? '{}')
      const use = { purpose: 'totp', context: userId } as const
      const opened = await openUnexpired<'totp'>(new Seal([AUTH_SECRET]), sealed, use)
      expect(opened).toBe(secret.toBase64())
    },
  )

  it.each([-1, 0])(
    'rejects the code of %d periods later once the next one was used',
    async (later) => {
      stopClock()
      const { name, secret } = await newTotpUser()
      advanceClock(10 * MINUTE)
      const former = await signInPending(name)
      const { browser, path } = await signInPending(name)
      await submit(browser, path, { code: await currentCode(secret, 1) })
      expect(await browser.session()).not.toBeNull()

      await submit(former.browser, former.path, { code: await currentCode(secret, later) })

      expect(await former.browser.session()).toBeNull()
    },
  )

  it('rejects the code with which the app was added', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const { browser, path } = await signInPending(name)

    await submit(browser, path, { code: await currentCode(secret) })

    expect(await browser.session()).toBeNull()
  })

  it('[R1] refuses all codes for fifteen minutes after five wrong ones, in all browsers', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    advanceClock(MINUTE)
    for (let guess = 0; guess < 5; guess += 1) {
      const { browser, path } = await signInPending(name)
      await submit(browser, path, { code: await wrongCode(secret) })
    }
    const { browser, path } = await signInPending(name)

    const refused = await submit(browser, path, { code: await currentCode(secret) })

    expect(await refused.text()).toContain('Try again in 15 minutes, or use a recovery code')
    expect(await browser.session()).toBeNull()

    advanceClock(15 * MINUTE)
    const { browser: later, path: laterPath } = await signInPending(name)
    await submit(later, laterPath, { code: await currentCode(secret) })
    expect(await later.session()).not.toBeNull()
  })

  it('[R1] does not refuse recovery codes then, so that nobody locks the owner out', async () => {
    stopClock()
    const { name, secret, recoveryCodes } = await newTotpUser()
    for (let guess = 0; guess < 6; guess += 1) {
      const { browser, path } = await signInPending(name)
      await submit(browser, path, { code: await wrongCode(secret) })
    }
    const { browser } = await signInPending(name)

    await submit(browser, '/totp/recovery', { code: recoveryCodes[0]?.toLowerCase() ?? '' })

    expect(await readClaims(browser)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
  })

  it('counts right codes for nobody', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    for (let signIn = 0; signIn < 7; signIn += 1) {
      const { browser, path } = await signInPending(name)
      await submit(browser, path, { code: await nextCode(secret) })
      expect(await browser.session()).not.toBeNull()
    }
  })

  it('accepts each recovery code once, and says how many are left', async () => {
    const { name, recoveryCodes } = await newTotpUser()
    const [code = ''] = recoveryCodes
    const { browser } = await signInPending(name)
    const accepted = await submit(browser, '/totp/recovery', { code })
    expect(await accepted.text()).toContain('You have 9 recovery codes left.')
    const { browser: other } = await signInPending(name)

    const refused = await submit(other, '/totp/recovery', { code })

    expect(await refused.text()).toContain('was already used')
    expect(await other.session()).toBeNull()
  })

  it.each([
    ['without hyphens', (code: string) => code.replaceAll('-', '')],
    ['in lower case with spaces', (code: string) => ` ${code.toLowerCase().replaceAll('-', ' ')} `],
  ])('accepts a recovery code %s', async (_, spell) => {
    const { name, recoveryCodes } = await newTotpUser()
    const { browser } = await signInPending(name)

    await submit(browser, '/totp/recovery', { code: spell(recoveryCodes[0] ?? '') })

    expect(await browser.session()).not.toBeNull()
  })

  it('[R1] checks twenty recovery codes from one network in fifteen minutes, and others elsewhere', async () => {
    stopClock()
    const { name, recoveryCodes } = await newTotpUser()
    const { browser } = await signInPending(name)
    const html = await (await browser.get('/totp/recovery', OWN_PAGE)).text()
    const fields = Object.fromEntries(hiddenFields(html))
    const enter = async (code: string, ip: string) => {
      await browser.post('/totp/recovery', { ...fields, code }, { 'CF-Connecting-IP': ip })
      return (await browser.session()) !== null
    }
    for (let guess = 0; guess < 20; guess += 1) await enter(`wrong ${guess}`, '203.0.113.31')

    expect(await enter(recoveryCodes[0] ?? '', '203.0.113.31')).toBe(false)
    expect(await enter(recoveryCodes[0] ?? '', '198.51.100.31')).toBe(true)
  })

  it('is not asked for after a sign-in with a passkey', async () => {
    const { name, browser } = await newTotpUser()
    const authenticator = new Authenticator()
    await addPasskey(browser, authenticator)
    const other = new Browser(optionalService())

    await other.post('/api/auth/signin/passkey', {
      credential: await authenticator.get(await openSignInPage(other)),
    })

    expect(await readClaims(other)).toMatchObject({ acr: 'phr', amr: ['pop', 'user', 'mfa'] })
    expect(name).toBeTruthy()
  })

  it('leaves acr as that of the first factor', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const { browser, path } = await signInPending(name)
    await submit(browser, path, { code: await nextCode(secret) })

    expect(await readClaims(browser)).toMatchObject({ acr: 'local' })
  })

  it('is part of an export, without secrets', async () => {
    const { browser, secret, recoveryCodes } = await newTotpUser()
    const form = hiddenFields(await (await browser.get('/account')).text())
    const response = await browser.post('/account/export', Object.fromEntries(form))

    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({
      authenticator_app: { confirmed: true, recovery_codes: 10 },
    })
    expect(text).not.toContain(recoveryCodes[0])
    expect(text).not.toContain(secret.toBase64())
  })

  it('is in the audit log: its codes, what was used of them, and its removal', async () => {
    stopClock()
    const { name, browser, secret } = await newTotpUser()
    const created = await submit(browser, '/totp/codes', { present: await nextCode(secret) })
    const [code = ''] = readRecoveryCodes(await created.text())
    advanceClock(1)
    const { browser: other } = await signInPending(name)
    await submit(other, '/totp/recovery', { code })

    await submit(browser, '/totp/remove', { present: await nextCode(secret) })

    expect(await recordedEvents(other)).toEqual([
      'second_factor_added',
      'recovery_codes_replaced',
      'recovery_code_used: 9',
      'second_factor_removed',
    ])
  })

  it('[R4] has one entry in the audit log for each quarter of an hour with too many wrong codes', async () => {
    stopClock()
    const { name, browser, secret } = await newTotpUser()
    advanceClock(MINUTE)
    const guess = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        const { browser: thief, path } = await signInPending(name)
        await submit(thief, path, { code: await wrongCode(secret) })
      }
    }

    await guess(5)
    expect(await recordedEvents(browser)).toEqual(['second_factor_added'])
    await guess(3)
    expect(await recordedEvents(browser)).toHaveLength(2)
    advanceClock(15 * MINUTE)
    await guess(7)

    expect(await recordedEvents(browser)).toEqual([
      'second_factor_added',
      'second_factor_refused',
      'second_factor_refused',
    ])
  })

  it('[S6] is announced on the account page in other browsers when it is added and removed', async () => {
    stopClock()
    const { name, browser, secret } = await newTotpUser()
    const shown = async (signedIn: Browser) =>
      (await (await signedIn.get('/account')).text()).match(
        /Authenticator app<br\/?>(?:Added|Removed)/g,
      )

    const { browser: other, path } = await signInPending(name)
    await submit(other, path, { code: await nextCode(secret) })
    expect(await shown(other)).toEqual([expect.stringMatching('Added')])

    await submit(browser, '/totp/remove', { present: await nextCode(secret) })
    const third = new Browser(optionalService())
    await signInByName(third, name)
    expect((await shown(third))?.toSorted()).toEqual([
      expect.stringMatching('Added'),
      expect.stringMatching('Removed'),
    ])
  })

  it('is deleted with the user', async () => {
    const { browser } = await newTotpUser()
    const id = (await browser.session())?.user.id ?? ''
    const form = hiddenFields(await (await browser.get('/account/delete', OWN_PAGE)).text())
    await browser.post('/account/delete', Object.fromEntries(form))
    const object = env.TEST_TOTP_USERS.get(env.TEST_TOTP_USERS.idFromName(id))

    expect(await object.readRecord('totp', 'factor')).toBeUndefined()
  })
})

describe('a second factor that was added without proof', () => {
  /** A user of the platform, which does not prove that they were asked. */
  async function addUnproved() {
    stopClock()
    const handle = await createPlatformUser()
    const browser = new Browser(optionalService())
    await browser.signIn(handle, { prompt: 'login' })
    return { handle, browser, ...(await addApp(browser)) }
  }

  it('[S1] is neither asked for nor counts, until it is confirmed a day later', async () => {
    const { handle, browser, secret } = await addUnproved()
    expect(await (await browser.get('/account')).text()).toContain('was added without proof')
    const other = new Browser(optionalService())
    await other.signIn(handle, { prompt: 'login' })
    expect((await readClaims(other))?.amr).toBeUndefined()

    const early = await (await other.get('/totp/confirm', OWN_PAGE)).text()
    expect(early).toContain('at the earliest a day after')

    advanceClock(DAY + HOUR)
    await other.signIn(handle, { prompt: 'login' })
    const confirmed = await submit(other, '/totp/confirm', { code: await currentCode(secret) })
    expect(redirectUrl(confirmed).search).toBe('?done=totpConfirmed')

    const third = new Browser(optionalService())
    expect(redirectUrl(await third.signIn(handle, { prompt: 'login' })).pathname).toBe('/totp')
  })

  it('is in the audit log with that, and with its confirmation', async () => {
    const { handle, browser, secret } = await addUnproved()
    expect(await recordedEvents(browser)).toEqual(['second_factor_added: unconfirmed'])
    advanceClock(DAY + HOUR)
    const other = new Browser(optionalService())
    await other.signIn(handle, { prompt: 'login' })

    await submit(other, '/totp/confirm', { code: await currentCode(secret) })

    expect(await recordedEvents(other)).toEqual([
      'second_factor_added: unconfirmed',
      'second_factor_confirmed',
    ])
  })

  it('is part of an export as not confirmed', async () => {
    const { handle } = await addUnproved()
    const browser = new Browser(optionalService())
    await browser.signIn(handle, { prompt: 'login' })
    const form = hiddenFields(await (await browser.get('/account')).text())

    const response = await browser.post('/account/export', Object.fromEntries(form))

    expect(await response.json()).toMatchObject({ authenticator_app: { confirmed: false } })
  })

  it('[S1] cannot be confirmed with a wrong code', async () => {
    const { handle, secret } = await addUnproved()
    advanceClock(DAY + HOUR)
    const browser = new Browser(optionalService())
    await browser.signIn(handle, { prompt: 'login' })

    const refused = await submit(browser, '/totp/confirm', { code: await wrongCode(secret) })

    expect(await refused.text()).toContain('This code is wrong')
  })

  it('[S1] does not pass the step on its page', async () => {
    const { browser, secret, recoveryCodes } = await addUnproved()

    const refused = await submit(browser, '/totp', { code: await nextCode(secret) })
    expect(await refused.text()).toContain('This code is wrong')
    const other = await submit(browser, '/totp/recovery', { code: recoveryCodes[0] ?? '' })
    expect(await other.text()).toContain('This recovery code is wrong')
    expect((await readClaims(browser))?.amr).toBeUndefined()
  })

  it('can be removed by the owner', async () => {
    const { handle } = await addUnproved()
    const browser = new Browser(optionalService())
    await browser.signIn(handle, { prompt: 'login' })

    await submit(browser, '/totp/remove', {})

    expect(await (await browser.get('/account')).text()).toContain('No code is asked for')
  })
})

describe('a change of the second factor', () => {
  it('[S1] needs a code in a session that has not proved it', async () => {
    stopClock()
    const { name, browser, secret } = await newTotpUser()

    const refused = await submit(browser, '/totp/remove', { present: await wrongCode(secret) })
    expect(await refused.text()).toContain('This code is wrong')
    await signInPending(name)

    await submit(browser, '/totp/remove', { present: await nextCode(secret) })
    const other = new Browser(optionalService())
    await signInByName(other, name)
    expect(await other.session()).not.toBeNull()
  })

  it.each(['/totp/add', '/totp/codes'])(
    '[S1] needs a code of the present app in a session that has not proved it: %s',
    async (path) => {
      stopClock()
      const { browser, secret } = await newTotpUser()
      const page = await (await browser.get(path, OWN_PAGE)).text()
      const code = path === '/totp/add' ? await currentCode(readSecret(page)) : ''

      const refused = await submit(browser, path, { present: await wrongCode(secret), code }, page)

      const answer = await refused.text()
      expect(answer).toContain('This code is wrong')
      expect(readRecoveryCodes(answer)).toEqual([])
    },
  )

  it('[S1] needs a recent sign-in', async () => {
    stopClock()
    const { browser } = await newTotpUser()
    advanceClock(HOUR)

    for (const path of ['/totp/add', '/totp/remove', '/totp/codes', '/totp/confirm']) {
      expect(addressAfterSignIn(await browser.get(path, OWN_PAGE))).toBe(path)
    }
  })

  it('replaces the app, whose former codes are then wrong', async () => {
    stopClock()
    const { name, browser, secret } = await newTotpUser()
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
    const replaced = readSecret(page)
    advanceClock(30)
    const fields = { present: await currentCode(secret), code: await currentCode(replaced) }
    await submit(browser, '/totp/add', fields, page)
    const { browser: other, path } = await signInPending(name)

    await submit(other, path, { code: await nextCode(secret) })
    expect(await other.session()).toBeNull()
    await submit(other, path, { code: await currentCode(replaced) })
    expect(await other.session()).not.toBeNull()
  })

  it('replaces the app of a lost phone with a recovery code', async () => {
    stopClock()
    const { name, browser, recoveryCodes } = await newTotpUser()
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
    const replaced = readSecret(page)
    const [present = ''] = recoveryCodes
    await submit(browser, '/totp/add', { present, code: await currentCode(replaced) }, page)

    const { browser: other, path } = await signInPending(name)
    await submit(other, path, { code: await nextCode(replaced) })

    expect(await other.session()).not.toBeNull()
  })

  it('is possible with a page for half an hour, and for nobody else', async () => {
    stopClock()
    const name = `user-${crypto.randomUUID()}`
    const browser = new Browser(optionalService())
    await signInByName(browser, name)
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
    const secret = readSecret(page)
    const add = async (user: Browser) => {
      const own = hiddenFields(await (await user.get('/totp/add', OWN_PAGE)).text())
      const offer = hiddenFields(page).get('offer') ?? ''
      const fields = { ...Object.fromEntries(own), offer, code: await currentCode(secret) }
      return readRecoveryCodes(await (await user.post('/totp/add', fields)).text())
    }
    const stranger = new Browser(optionalService())
    await signInByName(stranger, `user-${crypto.randomUUID()}`)

    expect(await add(stranger)).toEqual([])
    advanceClock(30 * MINUTE)
    await signInByName(browser, name, { prompt: 'login' })
    expect(await add(browser)).toEqual([])
    advanceClock(-1)
    expect(await add(browser)).toHaveLength(10)
  })

  it('creates recovery codes, and forgets the former ones', async () => {
    stopClock()
    const { name, browser, secret, recoveryCodes } = await newTotpUser()
    const created = await submit(browser, '/totp/codes', { present: await nextCode(secret) })
    const page = await created.text()
    expect(page).not.toContain(recoveryCodes[0])
    expect(page).not.toContain('done=totpAdded')
    const { browser: other } = await signInPending(name)

    await submit(other, '/totp/recovery', { code: recoveryCodes[0] ?? '' })
    expect(await other.session()).toBeNull()

    const userId = (await browser.session())?.user.id ?? ''
    const object = env.TEST_TOTP_USERS.get(env.TEST_TOTP_USERS.idFromName(userId))
    const stored = await runInDurableObject(object, (_, { storage }) => [...storage.kv.list()])
    expect(JSON.stringify(stored)).toContain('"title":"New recovery codes"')
  })
})

describe('a deployment that demands a second factor of everyone', () => {
  it('has new users add one before their session counts', async () => {
    stopClock()
    const service = demandingService()
    const browser = new Browser(service)
    const name = `user-${crypto.randomUUID()}`
    const path = await continuePath(await signInByName(browser, name))
    expect(path).toMatch(/^\/totp\/enrol\?/)
    expect(await browser.session()).toBeNull()

    const { recoveryCodes } = await addApp(browser, path)

    expect(recoveryCodes).toHaveLength(10)
    expect(await readClaims(browser)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
    await signInPending(name, service)
  })

  it('does not tell the browser that has added it again, at the next sign-in for an app', async () => {
    stopClock()
    const service = demandingService()
    const [browser, other] = [new Browser(service), new Browser(service)]
    const name = `user-${crypto.randomUUID()}`
    const callbackUrl = 'https://shop.example/orders'
    const path = await continuePath(await signInByName(browser, name, { callbackUrl }))
    const { secret } = await addApp(browser, path)
    const signInAgain = async (signedIn: Browser) => {
      await signedIn.post('/api/auth/signout', {})
      const code = await nextCode(secret)
      const page = await continuePath(await signInByName(signedIn, name, { callbackUrl }))
      return continuePath(await submit(signedIn, page, { code }))
    }

    expect(await signInAgain(browser)).toBe(callbackUrl)
    expect(await signInAgain(other)).toMatch(/^\/account\?interaction=/)
  })

  it('[S6] tells the browser that has added it of a change elsewhere, at the next sign-in for an app', async () => {
    stopClock()
    const browser = new Browser(demandingService())
    const name = `user-${crypto.randomUUID()}`
    const path = await continuePath(await signInByName(browser, name))
    const user = await env.DIRECTORY.prepare('SELECT id FROM users WHERE name = ?')
      .bind(name)
      .first<{ id: string }>()
    const users = env.TEST_DEMANDED_TOTP_USERS
    const object = users.get(users.idFromName(user?.id ?? ''))
    await object.addMethodChange({ kind: 'added', provider: 'passkey', title: 'Phone' })
    advanceClock(1)
    const { secret } = await addApp(browser, path)
    const code = await nextCode(secret)
    const callbackUrl = 'https://shop.example/orders'
    const query = { prompt: 'login', callbackUrl }
    const page = await continuePath(await signInByName(browser, name, query))

    const continued = await submit(browser, page, { code })

    expect(await continuePath(continued)).toMatch(/^\/account\?interaction=/)
  })

  it('counts what it demands at once, also after a sign-in that proves nothing', async () => {
    stopClock()
    const handle = await createPlatformUser()
    const browser = new Browser(demandingService())
    const { pathname, search } = redirectUrl(await browser.signIn(handle))
    await addApp(browser, pathname + search)

    const other = new Browser(demandingService())
    expect(redirectUrl(await other.signIn(handle)).pathname).toBe('/totp')
  })

  it('[S1] lets nobody who has the first factor only replace the one that is there', async () => {
    stopClock()
    const service = demandingService()
    const browser = new Browser(service)
    const name = `user-${crypto.randomUUID()}`
    const path = await continuePath(await signInByName(browser, name))
    await addApp(browser, path)
    const { browser: thief } = await signInPending(name, service)

    const page = await (await thief.get('/totp/enrol')).text()
    expect(page).not.toContain('class="qr"')
    expect((await thief.get('/totp/add', OWN_PAGE)).status).not.toBe(200)
    expect((await thief.get('/totp/remove', OWN_PAGE)).status).not.toBe(200)
    expect(await thief.session()).toBeNull()
  })

  it('does not let users remove it', async () => {
    stopClock()
    const browser = new Browser(demandingService())
    const path = await continuePath(await signInByName(browser, `user-${crypto.randomUUID()}`))
    await addApp(browser, path)

    await submit(browser, '/totp/remove', {})

    expect(await (await browser.get('/account')).text()).toContain('You need a code')
  })
})

describe('a QR code', () => {
  it('can be read', async () => {
    const browser = new Browser(optionalService())
    await signInByName(browser, `user-${crypto.randomUUID()}`)
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
    const [, data = ''] = page.match(/src="data:image\/bmp;base64,([^"]+)"/) ?? []
    const { pixels, size } = readBitmap(Uint8Array.fromBase64(data))

    expect(jsQR(pixels, size, size)?.data).toMatch(/^otpauth:\/\/totp\/login\.example:/)
  })
})

/** The pixels of a square image with four bits per pixel, where 1 is black. */
function readBitmap(file: Uint8Array) {
  const view = new DataView(file.buffer)
  const [offset, size] = [view.getUint32(10, true), view.getUint32(18, true)]
  const digitsPerRow = Math.ceil(size / 8) * 8
  const digits = file.slice(offset).toHex()
  const scale = 4
  const pixels = new Uint8ClampedArray((size * scale) ** 2 * 4).fill(255)
  for (let y = 0; y < size * scale; y += 1) {
    for (let x = 0; x < size * scale; x += 1) {
      const row = size - 1 - Math.floor(y / scale)
      const isBlack = digits[row * digitsPerRow + Math.floor(x / scale)] === '1'
      if (isBlack) pixels.fill(0, (y * size * scale + x) * 4, (y * size * scale + x) * 4 + 3)
    }
  }
  return { pixels, size: size * scale }
}
