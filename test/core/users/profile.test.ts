import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { readUserRows } from '../../../src/core/users/linked-accounts.ts'
import { Browser } from '../../browser.ts'
import { createPlatformUser } from '../../new-user.ts'
import { acme, browserFor, signInAtGit } from '../../providers/providers-in-code.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

describe('a name at the provider', () => {
  it.each([
    ['\u001b[2JMia\u0007 Lindqvist\u009b\u007f', '[2JMia Lindqvist'],
    ['\r\n Mia\u0000 ', 'Mia'],
    ['Mia\u202e\u2066 Lindqvist\u2069\u2028', 'Mia Lindqvist'],
    ['\u200fمي', '\u200fمي'],
    ['Zoë \u{1F469}\u200D\u{1F4BB}', 'Zoë \u{1F469}\u200D\u{1F4BB}'],
  ])('is stored without control characters: %j', async (displayName, stored) => {
    const browser = new Browser()
    await browser.signIn(await createPlatformUser({ displayName }))
    const { user } = (await browser.session()) ?? {}
    const { id_token } = await new RelyingApp().tokens(browser)
    const rows = await readUserRows(env, user?.id ?? '')

    expect(user?.name).toBe(stored)
    expect(decodeJwt(id_token ?? '')['name']).toBe(stored)
    expect(rows?.accounts[0]?.label).toBe(stored)
  })

  it.each(['x', '\u{1F600}'])('is stored with at most 200 characters: %s', async (character) => {
    const browser = new Browser()
    await browser.signIn(await createPlatformUser({ displayName: character.repeat(201) }))

    expect((await browser.session())?.user.name).toBe(character.repeat(200))
  })

  it('is not stored if it has only control characters', async () => {
    const browser = new Browser()
    await browser.signIn(await createPlatformUser({ displayName: '\u0000\u0085' }))

    expect((await browser.session())?.user).not.toHaveProperty('name')
  })
})

describe('an address in a profile', () => {
  const withLength = (length: number) => 'https://cdn.example/'.padEnd(length, 'x')

  it.each([
    ['of 2048 characters', withLength(2048), true],
    ['of 2049 characters', withLength(2049), false],
    ['over http', 'http://cdn.example/a.png', false],
    ['on this machine', 'http://localhost:8788/a.png', true],
    ['over ftp', 'ftp://cdn.example/a.png', false],
    ['without a scheme', '//cdn.example/a.png', false],
  ])('%s is stored only if apps may load it', async (_, url, isStored) => {
    const browser = browserFor({ ...acme, profile: () => ({ id: url, image: url, url }) })

    const { session } = await signInAtGit(browser, 'acme')

    expect(await (await browser.get('/account')).text()).not.toContain('src="http:')
    const stored = isStored ? url : undefined
    expect([session?.user.image, session?.user.url]).toEqual([stored, stored])
  })
})
