import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, lastLogEntry, logLines, SHOP } from '../browser.ts'
import { advanceClock, MINUTE } from '../clock.ts'
import { errorCode, findLink, hiddenFields } from '../html.ts'
import { redirectUrl } from '../redirect.ts'
import { forbidden } from '../storage.ts'
import { emailService, newAddress, requestMessage, wrongCode } from './email-browser.ts'

describe('POST /api/auth/signin/email', () => {
  it('signs in with the code of the message', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const address = newAddress()

    const page = await requestMessage(browser, address, { callbackUrl: `${SHOP}/cart` })
    const response = await browser.post(page, { code: sent[0]?.token ?? '' })

    expect(redirectUrl(response, 303).href).toBe(`${SHOP}/cart`)
    expect((await browser.session())?.user).toMatchObject({ email: address })
    expect(browser.cookieNames('attempt')).toEqual([])
    expect(sent).toHaveLength(1)
    expect(sent[0]?.token).toMatch(/^\d{6}$/)
  })
})
