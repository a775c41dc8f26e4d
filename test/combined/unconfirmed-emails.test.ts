import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import migration from '../../migrations/0005_withdraw_unconfirmed_emails.sql?raw'
import { callUserObject } from '../../src/core/users/user-object.ts'
import type { Browser } from '../browser.ts'
import { advanceClock, DAY } from '../clock.ts'
import { bearer, RelyingApp } from '../core/oidc/relying-app.ts'
import { redeemCode } from '../redeem-code.ts'
import { redirectUrl } from '../redirect.ts'
import { failingAt } from '../storage.ts'
import { addAsStranger, deployment, signInElsewhere } from './stranger.ts'

/** The methods whose accounts have a verified address. */
const METHODS = ['email', 'gitlab'] as const

const WITHHELD = /Apps get your address \u2068.+\u2069 only once you have confirmed/

/** The address that apps get: in the ID token, from userinfo, and from the session endpoint. */
async function emailsFor(browser: Browser): Promise<unknown[]> {
  const app = new RelyingApp('web')
  const callback = await app.callbackFor(browser, { scope: 'openid email' })
  const tokens = await (await redeemCode(browser, app, callback)).json<Record<string, string>>()
  const userinfo = await browser.get('/oidc/userinfo', bearer(tokens['access_token'] ?? ''))
  const session = await browser.session()
  const all = [decodeJwt(tokens['id_token'] ?? ''), await userinfo.json(), session?.user]
  return all.map((claims) => Object(claims).email)
}

const NONE = [undefined, undefined, undefined]

async function storedProfile(userId: string) {
  return env.DIRECTORY.prepare('SELECT name, email FROM users WHERE id = ?').bind(userId).first()
}

/** Changes columns of the account at TikTok. */
async function changeTikTok(userId: string, columns: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(columns)) {
    await env.DIRECTORY.prepare(
      `UPDATE accounts SET ${name} = ?2 WHERE user_id = ?1 AND provider = 'tiktok'`,
    )
      .bind(userId, value)
      .run()
  }
}

/** What versions before 0.2 did with the address of an account that was added. */
async function takeEmail(userId: string, email: string): Promise<void> {
  await env.DIRECTORY.prepare('UPDATE users SET email = ?2 WHERE id = ?1').bind(userId, email).run()
  await callUserObject(env, userId, (object) => object.addEmail(email))
}

async function migrate(): Promise<void> {
  const statements = migration.replaceAll(/^--.*$/gm, '').split(';')
  const prepared = statements.filter((sql) => sql.trim()).map((sql) => env.DIRECTORY.prepare(sql))
  await env.DIRECTORY.batch(prepared)
}

describe('the address of an unconfirmed account', () => {
  it.each(METHODS)('[S6] is not given to apps, in any session: %s', async (method) => {
    const service = deployment()
    const { laptop, handle, userId } = await addAsStranger(service, method)
    const stranger = service.open()
    await service.methods[method].signIn(stranger)
    const owner = await signInElsewhere(service, handle)

    for (const browser of [laptop, stranger, owner]) expect(await emailsFor(browser)).toEqual(NONE)
    expect(await storedProfile(userId)).toMatchObject({ email: null })
  })

  it.each(METHODS)('is given to apps once the account is confirmed: %s', async (method) => {
    const service = deployment()
    const { handle, added } = await addAsStranger(service, method)
    advanceClock(DAY)
    const owner = await signInElsewhere(service, handle)
    const another = await signInElsewhere(service, handle)
    const page = await (await owner.get('/account')).text()

    const response = await owner.post('/account/confirm', { account: added })

    expect(redirectUrl(response, 303).pathname).toBe('/account')
    const expected = Array(3).fill(service.stranger.email)
    for (const browser of [owner, another]) expect(await emailsFor(browser)).toEqual(expected)
    expect(await emailsFor(await signInElsewhere(service, handle))).toEqual(expected)
    expect(page).toMatch(WITHHELD)
    expect(page).toContain(service.stranger.email)
    expect(await (await owner.get('/account')).text()).not.toMatch(WITHHELD)
  })

  it('[S6] does not replace that of a confirmed account', async () => {
    const service = deployment()
    const { laptop, userId } = await addAsStranger(service, 'gitlab')
    await changeTikTok(userId, { verified_email: 'owner@acme.example' })
    await takeEmail(userId, 'owner@acme.example')

    await service.methods.gitlab.signIn(service.open())

    expect(await storedProfile(userId)).toMatchObject({ email: 'owner@acme.example' })
    expect(await (await laptop.get('/account')).text()).not.toMatch(WITHHELD)
  })

  it('is given to apps if the user can sign in with no other account', async () => {
    const service = deployment()
    const { userId } = await addAsStranger(service, 'gitlab')
    await changeTikTok(userId, { issuer: 'https://former.example' })
    const browser = service.open()

    await service.methods.gitlab.signIn(browser)

    expect((await browser.session())?.user.id).toBe(userId)
    expect(await emailsFor(browser)).toEqual(Array(3).fill(service.stranger.email))
  })

  it.each(METHODS)(
    '[S6] is withdrawn if a former version took it, at the next sign-in: %s',
    async (method) => {
      const service = deployment()
      const { handle, userId } = await addAsStranger(service, method)
      await takeEmail(userId, service.stranger.email)

      await migrate()

      expect(await storedProfile(userId)).toMatchObject({ email: null })
      const owner = await signInElsewhere(service, handle)
      expect(await emailsFor(owner)).toEqual(NONE)
    },
  )

  it.each([
    ['a confirmed account has it', (email: string) => ({ verified_email: email.toUpperCase() })],
    ['there is no confirmed account', () => ({ unconfirmed_sid: '' })],
  ])('stays, in the migration, if %s', async (_, changes) => {
    const service = deployment()
    const { userId } = await addAsStranger(service, 'gitlab')
    const { email } = service.stranger
    await changeTikTok(userId, changes(email))
    await takeEmail(userId, email)

    await migrate()

    expect(await storedProfile(userId)).toMatchObject({ email })
  })
})

describe('the address of an account that needs no confirmation', () => {
  it('is given to apps at once', async () => {
    const service = deployment()
    const browser = service.open()
    await service.methods.credentials.signIn(browser)
    const before = await emailsFor(browser)

    await service.methods.gitlab.add(browser)

    expect(before).toEqual(NONE)
    expect(await emailsFor(browser)).toEqual(Array(3).fill(service.stranger.email))
  })

  it('is stored even if the object of the user cannot record it', async () => {
    const service = deployment({ USERS: failingAt('addEmail') })
    const browser = service.open()
    await service.methods.credentials.signIn(browser)
    const userId = (await browser.session())?.user.id ?? ''

    const response = await service.methods.gitlab.add(browser)

    expect(redirectUrl(response).search).toBe('?done=linked&provider=gitlab')
    expect(await storedProfile(userId)).toMatchObject({ email: service.stranger.email })
    expect(await browser.session()).not.toBeNull()
  })
})

describe('a sign-in with an unconfirmed account', () => {
  it('[S6] adds nothing that the profile lacks', async () => {
    const service = deployment()
    const { userId } = await addAsStranger(service, 'gitlab')
    await env.DIRECTORY.prepare('UPDATE users SET name = NULL WHERE id = ?').bind(userId).run()
    const before = await storedProfile(userId)

    await service.methods.gitlab.signIn(service.open())

    expect(before).toMatchObject({ name: null, email: null })
    expect(await storedProfile(userId)).toEqual(before)
  })
})
