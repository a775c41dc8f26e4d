import { describe, expect, it } from 'vitest'
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
})
