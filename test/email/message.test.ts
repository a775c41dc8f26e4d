import { describe, expect, it } from 'vitest'
import { composeMessage } from '../../src/signin/email/message.tsx'
import { EMAIL_TEXTS } from '../../src/signin/email/texts.ts'

const MESSAGE = {
  language: 'en',
  app: 'The shop',
  isLinking: false,
  host: 'login.example',
  code: '012345',
  url: 'https://login.example/api/auth/callback/email?token=abc',
  validFor: 600,
  origin: 'Firefox, Linux · Gothenburg, SE',
}

describe('a message', () => {
  it('has the code, the link, the app, the origin of the request and how long it is valid', () => {
    const { subject, text, html } = composeMessage(MESSAGE)

    expect(subject).toBe('Your code to sign in to The shop')
    for (const content of [text, html]) {
      expect(content).toContain('012345')
      expect(content).toContain(MESSAGE.url)
      expect(content).toContain('Your code to sign in to The shop:')
      expect(content).toContain('10 minutes')
      expect(content).toContain('Requested from: Firefox, Linux · Gothenburg, SE')
      expect(content).toContain('Enter the code only at login.example.')
      expect(content).toContain('ignore this message')
    }
    // The code is not on lock screens, nor in the logs of mail servers.
    expect(subject).not.toContain('012345')
  })

  it.each(Object.keys(EMAIL_TEXTS))(
    'speaks of adding an address and not of signing in, in %s',
    (language) => {
      const { subject, text, html } = composeMessage({ ...MESSAGE, language, isLinking: true })
      const signIn = composeMessage({ ...MESSAGE, language })
      const { address, message } = EMAIL_TEXTS[language as keyof typeof EMAIL_TEXTS]

      expect(subject).toContain('login.example')
      expect(html).toContain(`>${address.linkConfirm}</a>`)
      expect(`${subject} ${text} ${html}`).not.toContain('The shop')
      expect(html).not.toContain(`>${message.button}</a>`)
      expect(signIn.subject).not.toBe(subject)
      expect(text).toMatch(/^012345$/m)
    },
  )

  it.each(Object.keys(EMAIL_TEXTS))('is written in %s', (language) => {
    const { subject, text, html } = composeMessage({ ...MESSAGE, language })

    expect(subject).toContain('The shop')
    expect(text).toMatch(/^012345$/m)
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    if (language !== 'en') expect(subject).not.toBe('Your code to sign in to The shop')
    expect(text.split('\n').filter(Boolean)).toHaveLength(8)
  })

  it('[M1] escapes everything in HTML', () => {
    const { html } = composeMessage({
      ...MESSAGE,
      app: '<img src=x onerror=alert(1)>',
      origin: '"><script>alert(1)</script>',
    })

    expect(html).not.toMatch(/<img|<script/)
  })

  it('[S5] has no line breaks of others in its subject or between its paragraphs', () => {
    const { subject, text } = composeMessage({
      ...MESSAGE,
      app: 'Shop\r\nBcc: eve@evil.example',
      origin: 'Firefox\n\nClick https://evil.example',
    })

    expect(subject).toBe('Your code to sign in to Shop Bcc: eve@evil.example')
    expect(text.split('\n').filter(Boolean)).toHaveLength(8)
  })

  it('loads nothing', () => {
    const { html } = composeMessage(MESSAGE)

    expect(html).not.toMatch(/<(img|link|script|iframe|style)|url\(|@import/)
    expect(Array.from(html.matchAll(/https?:[^"]+/g), ([url]) => url)).toEqual([MESSAGE.url])
  })
})
