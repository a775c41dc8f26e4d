import { describe, expect, it } from 'vitest'
import { Passkey } from '../../src/providers.ts'
import { emailService, newAddress, requestMessage } from '../features/email/email-browser.ts'

const SIGN_IN = '/api/auth/signin'

describe('the last used method', () => {
  it('comes first, and is marked', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const methods = /Sign in with TikTok|Scan a QR code|<p class="or">or<\/p>|Email me a code/g
    const before = (await (await browser.get(SIGN_IN)).text()).match(methods)
    await browser.post(await requestMessage(browser, newAddress()), { code: sent[0]?.token ?? '' })
    await browser.post('/api/auth/signout', {})

    const page = await (await browser.get(SIGN_IN)).text()

    expect(page).toContain('Email me a code<span class="badge">Last used</span>')
    const or = '<p class="or">or</p>'
    const [tiktok, email] = ['Sign in with TikTok', 'Email me a code']
    expect(before).toEqual([tiktok, or, email, 'Scan a QR code'])
    expect(page.match(methods)).toEqual([email, or, tiktok, 'Scan a QR code'])
  })

  const [tiktok, email, passkey] = [
    'Sign in with TikTok',
    'Email me a code',
    'Sign in with a passkey',
  ]
  it.each([
    ['tiktok', [tiktok, passkey, email], [tiktok]],
    ['email', [email, tiktok, passkey], [email]],
    ['passkey', [passkey, tiktok, email], [passkey]],
    ['unknown', [tiktok, passkey, email], [tiktok, email]],
  ])('is the first and the only filled button: %s', async (id, order, filled) => {
    const { browser: open } = emailService({}, { providers: [Passkey()] })
    const browser = open()
    browser.cookies.set('__Host-vestibule.provider', id)

    const page = await (await browser.get(SIGN_IN)).text()

    const buttons = page.matchAll(
      /<(?:a|button)(?: class="([\w -]+)")?[^>]*>(.*?)<\/(?:a|button)>/gs,
    )
    const shown = Array.from(buttons, ([, style, content = '']) => ({
      isFilled: style === 'primary' || style === 'brand-tiktok',
      text: order.find((text) => content.includes(text)),
    })).filter(({ text }) => text !== undefined)
    expect(shown.map(({ text }) => text)).toEqual(order)
    expect(shown.filter(({ isFilled }) => isFilled).map(({ text }) => text)).toEqual(filled)
  })
})
