import { describe, expect, it } from 'vitest'
import { chooseLanguage } from '../src/pages/messages/choose.ts'
import { en } from '../src/pages/messages/en.ts'
import { createLanguages, messageProblems } from '../src/pages/messages/languages.ts'
import { TikTok } from '../src/providers/index.ts'
import { createVestibule, type Messages, type VestibuleOptions } from '../src/vestibule.ts'
import { Browser, serviceOf } from './browser.ts'

const de: Messages = {
  ...en,
  language: 'de',
  signIn: {
    ...en.signIn,
    title: 'Anmelden',
    lead: 'Wie möchtest du dich anmelden?',
    titleFor: (app) => `Bei ${app} anmelden`,
  },
}
const ar: Messages = { ...en, language: 'ar' }

describe('messages', () => {
  it.each([
    {},
    { de },
    { en: { signIn: { lead: 'Welcome back.' } } },
    { es: { signIn: { signInWith: (provider: string) => `Entrar con ${provider}` } } },
    { 'pt-BR': { ...en, language: 'pt-BR' } },
    { en: { consent: { scopes: { orders: 'see your orders' } } } },
  ])('are accepted (%#)', (messages) => {
    expect(messageProblems(messages)).toEqual([])
  })

  it.each<[unknown, string]>([
    ['de', 'messages must be an object with one entry per language.'],
    [
      { deutsch: de },
      'messages.deutsch is not a language: use a tag such as de, pt-BR or zh-Hant.',
    ],
    [{ DE: de }, 'messages.DE is not a language: use a tag such as de, pt-BR or zh-Hant.'],
    [{ de: 'Anmelden' }, 'messages.de must be an object like the messages of English.'],
    [
      { de: { ...de, signedOut: {}, errorPage: { code: 'Code' } } },
      'messages.de is incomplete: it has no signedOut.title, signedOut.lead, errorPage.reference.',
    ],
    [
      { de: { language: 'de' } },
      `messages.de is incomplete: it has no languageName, signIn.title, signIn.titleFor and ${countTexts(en) - 4} more.`,
    ],
    [
      { de: { ...de, language: 'en' } },
      'messages.de.language must be de, like the name of the entry.',
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
      { de: { language: 'de' } },
      // @ts-expect-error: a text is missing.
      { de: { ...en, signIn } },
      // @ts-expect-error: a text of another region's language is missing.
      { 'pt-BR': { ...en, signIn } },
      // @ts-expect-error: there is no such text.
      { en: { signIn: { led: 'Welcome.' } } },
      // @ts-expect-error: it has to be a function.
      { en: { signIn: { titleFor: 'Sign in' } } },
      // @ts-expect-error: the function has one text as parameter.
      { en: { signIn: { titleFor: (app: number) => `${app + 1}` } } },
      // @ts-expect-error: a scope is missing.
      { de: { ...en, consent: { ...en.consent, scopes: {} } } },
      // @ts-expect-error: not a language.
      { deutsch: en },
    ]

    expect(invalid.length).toBe(8)
  })
})

describe('language negotiation with languages of the deployment', () => {
  const withLanguage = (language: string): Messages => ({ ...en, language })
  const languages = createLanguages({
    de,
    pt: withLanguage('pt'),
    'pt-BR': withLanguage('pt-BR'),
    'zh-Hant': withLanguage('zh-Hant'),
  })

  it.each([
    ['de-AT', 'de'],
    ['PT-br, en', 'pt-BR'],
    ['pt-PT, en', 'pt'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-TW, en', 'zh-Hant'],
    ['fr, de;q=0.5', 'de'],
    ['fr', 'en'],
    [`de${'-a'.repeat(5000)}`, 'de'],
  ])('resolves "%s" to %s', (acceptLanguage, language) => {
    expect(chooseLanguage(languages, acceptLanguage).tag).toBe(language)
  })
})

describe('a deployment with other languages', () => {
  const service = serviceOf(
    createVestibule({
      providers: [TikTok],
      messages: { de, ar, en: { signIn: { lead: 'Welcome back.' } } },
    }),
  )
  const open = async (acceptLanguage: string) => {
    const headers = { 'Accept-Language': acceptLanguage }
    return (await new Browser(service).get('/api/auth/signin', headers)).text()
  }

  it('shows a page in German', async () => {
    const page = await open('de-CH')

    expect(page).toContain('<html lang="de"><head>')
    expect(page).toContain('<h1>Anmelden</h1>')
    expect(page).toContain('<p>Wie möchtest du dich anmelden?</p>')
  })

  it('shows a page from right to left', async () => {
    expect(await open('ar')).toContain('<html lang="ar" dir="rtl"><head>')
  })

  it('replaces one sentence of English, and keeps the others', async () => {
    const page = await open('en')

    expect(page).toContain('<p>Welcome back.</p>')
    expect(page).toContain('<h1>Sign in</h1>')
  })

  it('lists its languages in discovery', async () => {
    const document = await new Browser(service).json('/.well-known/openid-configuration')

    expect(document).toMatchObject({ ui_locales_supported: ['en', 'es', 'de', 'ar'] })
  })
})

function countTexts(texts: object): number {
  return Object.values(texts)
    .map((text) => (typeof text === 'object' ? countTexts(text) : 1))
    .reduce((sum, count) => sum + count, 0)
}
