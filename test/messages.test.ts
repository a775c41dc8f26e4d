import { describe, expect, it } from 'vitest'
import { chooseLanguage } from '../src/pages/messages/choose.ts'
import { de } from '../src/pages/messages/de.ts'
import { en } from '../src/pages/messages/en.ts'
import { createLanguages, messageProblems } from '../src/pages/messages/languages.ts'
import { Credentials, Email, Passkey, TikTok } from '../src/providers.ts'
import { CREDENTIALS_TEXTS } from '../src/signin/credentials/texts.ts'
import { EMAIL_TEXTS } from '../src/signin/email/texts.ts'
import { PASSKEY_TEXTS } from '../src/signin/passkeys/texts.ts'
import { createVestibule, type Messages, type VestibuleOptions } from '../src/vestibule.ts'
import { Browser, serviceOf } from './browser.ts'

/** A language that this package does not have. */
const nl: Messages = {
  ...en,
  language: 'nl',
  languageName: 'Nederlands',
  signIn: {
    ...en.signIn,
    title: 'Inloggen',
    lead: 'Hoe wil je inloggen?',
    titleFor: (app) => `Inloggen bij ${app}`,
  },
}
const he: Messages = { ...en, language: 'he', languageName: 'עברית' }

describe('messages', () => {
  it.each([
    {},
    { nl },
    { de: { signIn: { lead: 'Willkommen zurück.' } } },
    { de: { ...en, language: 'de' } },
    { 'zh-Hans': { signIn: { lead: '欢迎回来。' } } },
    { en: { signIn: { lead: 'Welcome back.' } } },
    { es: { signIn: { signInWith: (provider: string) => `Entrar con ${provider}` } } },
    { 'pt-PT': { ...en, language: 'pt-PT' } },
    { en: { consent: { scopes: { orders: 'see your orders' } } } },
  ])('are accepted (%#)', (messages) => {
    expect(messageProblems(messages)).toEqual([])
  })

  it.each<[unknown, string]>([
    ['nl', 'messages must be an object with one entry per language.'],
    [{ dutch: nl }, 'messages.dutch is not a language: use a tag such as nl, pt-PT or zh-Hant.'],
    [{ NL: nl }, 'messages.NL is not a language: use a tag such as nl, pt-PT or zh-Hant.'],
    [{ nl: 'Inloggen' }, 'messages.nl must be an object like the messages of English.'],
    [
      {
        nl: {
          ...nl,
          continuing: {},
          errorPage: { ...nl.errorPage, reference: undefined },
        },
      },
      'messages.nl is incomplete: it has no continuing.title, continuing.lead, errorPage.reference.',
    ],
    [
      { nl: { language: 'nl' } },
      `messages.nl is incomplete: it has no languageName, signIn.title, signIn.titleFor and ${countTexts(en) - 4} more.`,
    ],
    [
      { nl: { ...nl, language: 'en' } },
      'messages.nl.language must be nl, like the name of the entry.',
    ],
    [
      { en: { signIn: { led: 'Welcome.' } } },
      'messages.en.signIn.led is not a text of this service.',
    ],
    [{ en: { toString: 'x' } }, 'messages.en.toString is not a text of this service.'],
    [{ en: { signIn: { lead: 7 } } }, 'messages.en.signIn.lead must be a text, as in English.'],
    [
      { en: { signIn: { titleFor: 'Sign in' } } },
      'messages.en.signIn.titleFor must be a function that returns a text, as in English.',
    ],
    [{ en: { signIn: 'Sign in' } }, 'messages.en.signIn must be an object, as in English.'],
    [
      { en: { consent: { scopes: { orders: 7 } } } },
      'messages.en.consent.scopes.orders must be a text.',
    ],
  ])('are rejected with one sentence (%#)', (messages, problem) => {
    expect(messageProblems(messages)).toEqual([problem])
  })

  it('do not compile when a text is missing, unknown or of another kind', () => {
    const { title: _, ...signIn } = en.signIn
    const invalid: VestibuleOptions['messages'][] = [
      // @ts-expect-error: the language is incomplete.
      { nl: { language: 'nl' } },
      // @ts-expect-error: a text is missing.
      { nl: { ...en, signIn } },
      // @ts-expect-error: a text of another region's language is missing.
      { 'pt-PT': { ...en, signIn } },
      // @ts-expect-error: a text of a language that replaces ours is missing.
      { de: { ...en, signIn } },
      // @ts-expect-error: there is no such text.
      { en: { signIn: { led: 'Welcome.' } } },
      // @ts-expect-error: it has to be a function.
      { en: { signIn: { titleFor: 'Sign in' } } },
      // @ts-expect-error: the function has one text as parameter.
      { en: { signIn: { titleFor: (app: number) => `${app + 1}` } } },
      // @ts-expect-error: a scope is missing.
      { nl: { ...en, consent: { ...en.consent, scopes: {} } } },
      // @ts-expect-error: not a language.
      { dutch: en },
    ]

    expect(invalid.length).toBe(9)
  })
})

describe('language negotiation with languages of the deployment', () => {
  const withLanguage = (language: string): Messages => ({ ...en, language })
  const languages = createLanguages({
    nl,
    pt: withLanguage('pt'),
    'zh-Hant': withLanguage('zh-Hant'),
  })

  it.each([
    ['nl-BE', 'nl'],
    ['PT-br, en', 'pt-BR'],
    ['pt-PT, en', 'pt'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-TW, en', 'zh-Hant'],
    ['zh-HK, en', 'zh-Hant'],
    ['zh-CN, en', 'zh-Hans'],
    ['zh', 'zh-Hans'],
    ['sv, nl;q=0.5', 'nl'],
    ['sv', 'en'],
    [`nl${'-a'.repeat(5000)}`, 'nl'],
  ])('resolves "%s" to %s', (acceptLanguage, language) => {
    expect(chooseLanguage(languages, acceptLanguage).tag).toBe(language)
  })
})

describe('a deployment with other languages', () => {
  const service = serviceOf(
    createVestibule({
      providers: [TikTok],
      messages: {
        nl,
        he,
        en: { signIn: { lead: 'Welcome back.' } },
        de: { languageName: 'Deutsch (Sie)', signIn: { lead: 'Wie möchten Sie sich anmelden?' } },
      },
    }),
  )
  const open = async (acceptLanguage: string) => {
    const headers = { 'Accept-Language': acceptLanguage }
    return (await new Browser(service).get('/api/auth/signin', headers)).text()
  }

  it('shows a page in Dutch', async () => {
    const page = await open('nl-BE')

    expect(page).toContain('<html lang="nl"><head>')
    expect(page).toContain('<h1>Inloggen</h1>')
    expect(page).toContain('>Hoe wil je inloggen?</p>')
  })

  it('shows a page from right to left, and isolates names in its sentences', async () => {
    const page = await open('he')

    expect(page).toContain('<html lang="he" dir="rtl"><head>')
    expect(page).toContain('Sign in with \u2068TikTok\u2069')
  })

  it.each([
    ['en', 'Welcome back.', 'Sign in'],
    ['de', 'Wie möchten Sie sich anmelden?', 'Anmelden'],
  ])(
    'replaces one sentence of a language of ours, and keeps the others: %s',
    async (language, lead, title) => {
      const page = await open(language)

      expect(page).toContain(`>${lead}</p>`)
      expect(page).toContain(`<h1>${title}</h1>`)
    },
  )

  it('shows the texts of email, credentials and passkeys in the same language for other regions', async () => {
    const austrian = createVestibule({
      providers: [
        TikTok,
        Passkey(),
        Email({ from: 'login@acme.example', sendVerificationRequest() {} }),
        Credentials({ credentials: { pin: { type: 'password' } }, authorize: () => null }),
      ],
      messages: { 'de-AT': { ...de, language: 'de-AT', languageName: 'Österreichisch' } },
    })
    const browser = new Browser(serviceOf(austrian))
    const headers = { 'Accept-Language': 'de-AT' }

    const page = await (await browser.get('/api/auth/signin', headers)).text()
    const form = { 'credential.pin': '1' }
    const rejected = await browser.post('/api/auth/callback/credentials', form, headers)

    expect(page).toContain('<html lang="de-AT">')
    expect(page).toContain(EMAIL_TEXTS.de.address.send)
    expect(page).toContain(PASSKEY_TEXTS.de.signIn)
    expect(await rejected.text()).toContain(CREDENTIALS_TEXTS.de.wrong)
  })

  it('offers its languages under their own names', async () => {
    const page = await open('en')

    expect(page).toContain('value="nl" lang="nl">Nederlands</button>')
    expect(page).toContain('value="de" lang="de">Deutsch (Sie)</button>')
    expect(page).toContain('value="ja" lang="ja">日本語</button>')
  })

  it('lists its languages in discovery', async () => {
    const document = await new Browser(service).json('/.well-known/openid-configuration')

    const { ui_locales_supported } = document as { ui_locales_supported: string[] }
    expect(ui_locales_supported).toHaveLength(14)
    expect(ui_locales_supported.slice(-2)).toEqual(['nl', 'he'])
  })
})

function countTexts(texts: object): number {
  return Object.values(texts)
    .map((text) => (typeof text === 'object' ? countTexts(text) : 1))
    .reduce((sum, count) => sum + count, 0)
}
