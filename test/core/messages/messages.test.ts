import { describe, expect, it } from 'vitest'
import { chooseLanguage } from '../../../src/core/messages/choose.ts'
import { en } from '../../../src/core/messages/en.ts'
import { createLanguages, loadCatalogue } from '../../../src/core/messages/languages.ts'
import { createMessages } from '../../../src/core/messages/messages.ts'
import { messagesSchema } from '../../../src/core/messages/messages-schema.ts'
import { formatProblem, validate } from '../../../src/foundation/values/problem.ts'
import { TikTok } from '../../../src/providers/index.ts'
import { type Catalogue, createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'

/** A language that this package does not have. */
const nl: Catalogue = {
  ...en,
  languageName: 'Nederlands',
  'signIn.title': 'Inloggen',
  'signIn.titleFor': 'Inloggen bij {app}',
  'signIn.newUserNote': 'Nieuw hier? Je account wordt bij het inloggen gemaakt.',
}
const he: Catalogue = { ...en, languageName: 'עברית' }

/** The forms that Polish has. */
const POLISH_FORMS = {
  one: 'Pokaż jeszcze {count}',
  few: 'Pokaż jeszcze {count}',
  many: 'Pokaż jeszcze {count}',
  other: 'Pokaż jeszcze {count}',
}

const ENGLISH = createMessages('en', en)

/** The problems of messages, in sentences. */
function problemsOf(messages: unknown): string[] {
  return validate(
    messagesSchema(() => en),
    messages,
    ['messages'],
  ).problems.map(formatProblem)
}

describe('messages', () => {
  it('are the same in the text module of English: `npm run texts` writes it', async () => {
    expect(await loadCatalogue('en')).toEqual(en)
  })

  it.each([
    {},
    { nl },
    { de: { 'signIn.lead': 'Willkommen zurück.' } },
    { de: en },
    { 'zh-Hans': { 'signIn.lead': '欢迎回来。' } },
    { es: { 'signIn.signInWith': 'Entrar con {provider}' } },
    { 'pt-PT': en },
    { en: { 'consent.scopes.orders': 'see your orders' } },
    { en: { 'actions.showMore': { one: 'Show one more', other: 'Show {count} more' } } },
    { pl: { ...en, 'actions.showMore': POLISH_FORMS } },
  ])('are accepted (%#)', (messages) => {
    expect(problemsOf(messages)).toEqual([])
  })

  it.each<[unknown, string]>([
    ['nl', 'messages must be an object with one entry per language.'],
    [{ dutch: nl }, 'messages.dutch is not a language: use a tag such as nl, pt-PT or zh-Hant.'],
    [{ NL: nl }, 'messages.NL is not a language: use a tag such as nl, pt-PT or zh-Hant.'],
    [{ nl: 'Inloggen' }, 'messages.nl must be an object like the messages of English.'],
    [{ nl: withoutTexts(2) }, 'messages.nl is incomplete: it has no languageName, signIn.title.'],
    [
      { nl: {} },
      `messages.nl is incomplete: it has no languageName, signIn.title, signIn.titleFor and ${Object.keys(en).length - 3} more.`,
    ],
    [
      { en: { 'signIn.led': 'Welcome.' } },
      'messages.en.signIn.led is not a text of this service, or of a feature that it lists.',
    ],
    [
      { en: { signIn: { lead: 'Welcome.' } } },
      'messages.en.signIn is not a text of this service, or of a feature that it lists.',
    ],
    [
      { en: { toString: 'x' } },
      'messages.en.toString is not a text of this service, or of a feature that it lists.',
    ],
    [{ en: { 'signIn.lead': 7 } }, 'messages.en.signIn.lead must be a string.'],
    [{ en: { 'signIn.lead': undefined } }, 'messages.en.signIn.lead must be a string.'],
    [
      { en: { 'signIn.titleFor': 'Sign in' } },
      'messages.en.signIn.titleFor does not contain {app}.',
    ],
    [
      { en: { 'signIn.titleFor': 'Sign in to {app}, {name}' } },
      'messages.en.signIn.titleFor contains {name}, which is not a value of this text.',
    ],
    [
      { en: { 'signIn.title': 'Sign in to {app}' } },
      'messages.en.signIn.title contains {app}, which is not a value of this text.',
    ],
    [{ en: { 'signIn.lead': { other: 'Hello' } } }, 'messages.en.signIn.lead must be a string.'],
    [
      { en: { 'actions.showMore': { other: 'Show {count} more' } } },
      'messages.en.actions.showMore must be a string, or an object with the strings one, other.',
    ],
    [
      { ja: { 'actions.showMore': { one: 'あと1件', other: 'あと{count}件' } } },
      'messages.ja.actions.showMore must be a string, or an object with the strings other.',
    ],
    [
      { en: { 'actions.showMore': { one: 'One more', other: 'Show {number} more' } } },
      'messages.en.actions.showMore.other contains {number}, which is not a value of this text.',
    ],
    [{ en: { 'consent.scopes.orders': 7 } }, 'messages.en.consent.scopes.orders must be a string.'],
  ])('are rejected with one sentence (%#)', (messages, problem) => {
    expect(problemsOf(messages)).toEqual([problem])
  })

  it('do not compile when a text is missing or of another kind', () => {
    const { 'signIn.title': _, ...incomplete } = en
    // @ts-expect-error: a text is missing.
    const nothing: Catalogue = incomplete
    const invalid: VestibuleOptions['messages'][] = [
      // @ts-expect-error: it has to be a text.
      { en: { 'signIn.lead': 7 } },
      // @ts-expect-error: there are no such plural forms.
      { en: { 'actions.showMore': { 1: 'Show one more', other: 'Show {count} more' } } },
    ]

    expect([nothing, ...invalid]).toHaveLength(3)
  })
})

describe('a text', () => {
  it('contains the values as they are', () => {
    expect(ENGLISH.t('signIn.titleFor', { app: 'The $1 {app} <shop>' })).toBe(
      'Sign in to The $1 {app} <shop>',
    )
  })

  it('does not compile without its values, or with others', () => {
    const calls = [
      // @ts-expect-error: a value is missing.
      () => ENGLISH.t('signIn.titleFor'),
      // @ts-expect-error: the value has another name.
      () => ENGLISH.t('signIn.titleFor', { name: 'The shop' }),
      // @ts-expect-error: the text has no values.
      () => ENGLISH.t('signIn.title', { app: 'The shop' }),
      // @ts-expect-error: a count is a number.
      () => ENGLISH.t('actions.showMore', { count: '7' }),
      // @ts-expect-error: there is no such text.
      () => ENGLISH.t('signIn.led'),
    ]

    expect(calls).toHaveLength(5)
  })

  it.each([
    ['en', 1, 'Show one more'],
    ['en', 1234, 'Show 1,234 more'],
    ['de', 1234, 'Show 1.234 more'],
  ])('has the plural form and the digits of the language: %s %i', (language, count, expected) => {
    const forms = { one: 'Show one more', other: 'Show {count} more' }
    const messages = createMessages(language, { ...en, 'actions.showMore': forms })

    expect(messages.t('actions.showMore', { count })).toBe(expected)
  })

  it('is found for a scope that the deployment adds', () => {
    const messages = createMessages('en', { ...en, 'consent.scopes.orders': 'see your orders' })

    expect(messages.scope('orders')).toBe('see your orders')
    expect(messages.scope('openid')).toBe(en['consent.scopes.openid'])
    expect(messages.scope('toString')).toBeUndefined()
  })
})

describe('language negotiation with languages of the deployment', () => {
  const languages = createLanguages({ nl, pt: en, 'zh-Hant': en })

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
  ])('resolves "%s" to %s', (acceptLanguage, language) => {
    expect(chooseLanguage(languages, acceptLanguage).tag).toBe(language)
  })

  it('resolves a tag of 5,000 parts', () => {
    expect(chooseLanguage(languages, `nl${'-a'.repeat(5000)}`).tag).toBe('nl')
  })
})

describe('a deployment with other languages', () => {
  const service = serviceOf(
    createVestibule({
      providers: [TikTok],
      messages: {
        nl,
        he,
        en: { 'signIn.newUserNote': 'Welcome back.' },
        de: { languageName: 'Deutsch (Sie)', 'signIn.newUserNote': 'Sind Sie neu hier?' },
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
    expect(page).toContain('>Nieuw hier? Je account wordt bij het inloggen gemaakt.</p>')
  })

  it('shows a page from right to left, and isolates names in its sentences', async () => {
    const page = await open('he')

    expect(page).toContain('<html lang="he" dir="rtl"><head>')
    expect(page).toContain('Sign in with \u2068TikTok\u2069')
  })

  it.each([
    ['en', 'Welcome back.', 'Sign in'],
    ['de', 'Sind Sie neu hier?', 'Anmelden'],
  ])(
    'replaces one sentence of a language of ours, and keeps the others: %s',
    async (language, lead, title) => {
      const page = await open(language)

      expect(page).toContain(`>${lead}</p>`)
      expect(page).toContain(`<h1>${title}</h1>`)
    },
  )

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

/** English without its first texts. */
function withoutTexts(count: number): object {
  return Object.fromEntries(Object.entries(en).slice(count))
}
