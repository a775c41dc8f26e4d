import { describe, expect, it } from 'vitest'
import { en as coreTexts } from '../../../src/core/messages/en.ts'
import { createLanguages } from '../../../src/core/messages/languages.ts'
import { createMessages, withTexts } from '../../../src/core/messages/messages.ts'
import { composeMessage } from '../../../src/features/email/message.tsx'
import texts from '../../../src/features/email/texts.json.txt'
import { en } from '../../../src/features/email/texts.ts'

const MESSAGE = {
  messages: withTexts<typeof en>(createMessages('en', { ...coreTexts, ...en })),
  app: 'The shop',
  isLinking: false,
  host: 'login.example',
  code: '012345',
  url: 'https://login.example/api/auth/callback/email?token=abc',
  validFor: 600,
  origin: 'Firefox, Linux · Gothenburg, SE',
  brand: { color: '#a5431f', textColor: '#ffffff', logo: undefined },
}

const LANGUAGES = [...createLanguages({}, [{ texts }]).values()]

describe('a message', () => {
  it('has the code, the link, the app, the origin of the request and how long it is valid', () => {
    const { subject, text, html } = composeMessage(MESSAGE)

    expect(subject).toBe('012345 · Your code to sign in to The shop')
    for (const content of [text, html]) {
      expect(content).toContain('012345')
      expect(content).toContain(MESSAGE.url)
      expect(content).toContain('Your code to sign in to The shop:')
      expect(content).toContain('10 minutes')
      expect(content).toContain('Requested from: Firefox, Linux · Gothenburg, SE')
      expect(content).toContain('Enter the code only at login.example.')
      expect(content).toContain('ignore this message')
    }
  })

  it.each(LANGUAGES)(
    'speaks of adding an address and not of signing in, in $tag',
    async ({ loadMessages }) => {
      const messages = withTexts<typeof en>(await loadMessages())
      const { subject, text, html } = composeMessage({ ...MESSAGE, messages, isLinking: true })
      const signIn = composeMessage({ ...MESSAGE, messages })

      expect(subject).toContain('login.example')
      expect(html).toContain(`>${messages.t('email.address.linkConfirm')}</a>`)
      expect(`${subject} ${text} ${html}`).not.toMatch(/The\sshop/)
      expect(html).not.toContain(`>${messages.t('email.message.button')}</a>`)
      expect(signIn.subject).not.toBe(subject)
      expect(text).toMatch(/^012345$/m)
    },
  )

  it.each(LANGUAGES)('is written in $tag', async ({ tag, loadMessages }) => {
    const messages = withTexts<typeof en>(await loadMessages())
    const { subject, text, html } = composeMessage({ ...MESSAGE, messages })

    // In Arabic, the words of a short name are kept on one line.
    expect(subject).toMatch(/The\sshop/)
    expect(text).toMatch(/^012345$/m)
    expect(html).toContain(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`)
    if (tag !== 'en') expect(subject).not.toContain('Your code to sign in to The shop')
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

    expect(subject).toBe('012345 · Your code to sign in to Shop Bcc: eve@evil.example')
    expect(text.split('\n').filter(Boolean)).toHaveLength(8)
  })

  it('has the colour and the logo of the app', () => {
    const logo = 'https://shop.example/logo.png'
    const { html } = composeMessage({ ...MESSAGE, brand: { ...MESSAGE.brand, logo } })

    expect(html).toContain('background:#a5431f;color:#ffffff')
    expect(html).toContain(`<img src="${logo}"`)
  })

  it('begins with the name and the logo of the app, and has a letter without a logo', () => {
    const logo = 'https://shop.example/logo.png'
    const withLogo = composeMessage({ ...MESSAGE, brand: { ...MESSAGE.brand, logo } })
    const header =
      /<p style="[^"]*">(<img [^>]*>|<span aria-hidden="true" [^>]*>T<\/span>)The shop<\/p>/

    expect(withLogo.html.match(header)?.[1]).toContain(logo)
    expect(composeMessage(MESSAGE).html.match(header)?.[1]).toContain('background:#a5431f')
    expect(composeMessage({ ...MESSAGE, isLinking: true }).html).toContain(
      '</span>login.example</p>',
    )
  })

  it('has a hidden line for lists of messages, and notes that are less prominent than the code', () => {
    const { html, text } = composeMessage(MESSAGE)
    const validity = 'You can use the code or the link once, within 10 minutes.'

    expect(html).toMatch(
      new RegExp(`<body [^>]*><div style="display:none;[^"]*">${validity}</div>`),
    )
    expect(html).toMatch(new RegExp(`<p style="[^"]*font-size:13px;opacity:.7">${validity}</p>`))
    expect(html).toMatch(/<p style="[^"]*font-size:32px;[^"]*">012345<\/p>/)
    expect(text.split(validity)).toHaveLength(2)
  })

  it('loads nothing without a logo', () => {
    const { html } = composeMessage(MESSAGE)

    expect(html).not.toMatch(/<(img|link|script|iframe|style)|url\(|@import/)
    expect(Array.from(html.matchAll(/https?:[^"]+/g), ([url]) => url)).toEqual([MESSAGE.url])
  })
})
