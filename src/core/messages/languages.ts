import {
  type Catalogue,
  createMessages,
  type Messages,
  type SomeTexts,
  type Texts,
} from './messages.ts'

/** A language. Its messages are loaded when the first page is displayed in it. */
export interface Language {
  /** Its tag (BCP 47), in the usual case. */
  tag: string
  /** Its own name. */
  name: string
  loadMessages: () => Promise<Messages>
}

interface BuiltInLanguage {
  name: string
  /**
   * The catalogue is JSON in a text module, which the runtime does not parse when a Worker starts.
   */
  load: () => Promise<{ default: string }>
}

/** `npm run texts` writes its catalogue, which is also the type of the others, from `en.ts`. */
const ENGLISH: BuiltInLanguage = { name: 'English', load: () => import('./en.json.txt') }

/**
 * The languages of this package, in the order of the language switch. A new one is a file with the
 * keys of `en.ts` and an entry here.
 */
const BUILT_IN: Readonly<Record<string, BuiltInLanguage>> = {
  en: ENGLISH,
  ar: { name: 'العربية', load: () => import('./ar.json.txt') },
  de: { name: 'Deutsch', load: () => import('./de.json.txt') },
  es: { name: 'Español', load: () => import('./es.json.txt') },
  fr: { name: 'Français', load: () => import('./fr.json.txt') },
  hi: { name: 'हिन्दी', load: () => import('./hi.json.txt') },
  id: { name: 'Bahasa Indonesia', load: () => import('./id.json.txt') },
  it: { name: 'Italiano', load: () => import('./it.json.txt') },
  ja: { name: '日本語', load: () => import('./ja.json.txt') },
  ko: { name: '한국어', load: () => import('./ko.json.txt') },
  'pt-BR': { name: 'Português (Brasil)', load: () => import('./pt-br.json.txt') },
  'zh-Hans': { name: '简体中文', load: () => import('./zh-hans.json.txt') },
}

/** The tags of the languages of this package. */
export const BUILT_IN_LANGUAGES = Object.keys(BUILT_IN)

/**
 * The texts of a deployment, by language tag: single sentences of the languages of this package,
 * which replace ours, and complete translations into other languages, such as `nl` or `zh-Hant`.
 */
export interface DeploymentMessages {
  readonly [tag: string]: SomeTexts
}

/**
 * The texts of a feature by language tag. As a string they are JSON, in a text module. In a language
 * that lacks a text, it is in English.
 */
export type FeatureTexts = string | TextsByLanguage

export interface TextsByLanguage {
  readonly en: Texts
  readonly [tag: string]: Texts
}

/** A feature by its texts. */
export interface FeatureWithTexts {
  texts?: FeatureTexts
}

/** The languages of a deployment by their tag in lower case. The first one is the default. */
export type Languages = ReadonlyMap<string, Language>

/** The languages of a deployment whose messages and features have no problems. */
export function createLanguages(
  messages: DeploymentMessages,
  features: readonly FeatureWithTexts[] = [],
): Languages {
  const tags = new Set([...BUILT_IN_LANGUAGES, ...Object.keys(messages)])
  return new Map(
    Array.from(tags, (tag) => [tag.toLowerCase(), createLanguage(tag, messages[tag], features)]),
  )
}

function createLanguage(
  tag: string,
  texts: SomeTexts | undefined,
  features: readonly FeatureWithTexts[],
): Language {
  let messages: Messages | undefined
  return {
    tag,
    name: String(texts?.languageName ?? BUILT_IN[tag]?.name ?? ENGLISH.name),
    async loadMessages() {
      // Not a stored promise: it would belong to the request that started it.
      messages ??= createMessages(tag, { ...(await loadCatalogue(tag, features)), ...texts })
      return messages
    },
  }
}

/**
 * The texts of this package and of these features. For a language that it does not have, the
 * deployment has all of them.
 */
export async function loadCatalogue(
  tag: string,
  features: readonly FeatureWithTexts[] = [],
): Promise<Catalogue> {
  const { load } = BUILT_IN[tag] ?? ENGLISH
  const core: Catalogue = JSON.parse((await load()).default)
  const others = readTexts(features)
  return Object.assign(
    {},
    core,
    ...others.map(({ en }) => en),
    ...others.map((texts) => texts[tag]),
  )
}

/** The texts of these features. Several providers can have the same method, with the same texts. */
export function readTexts(features: readonly FeatureWithTexts[]): TextsByLanguage[] {
  const all = new Set(features.flatMap(({ texts }) => texts ?? []))
  return Array.from(all, (texts) => (typeof texts === 'string' ? JSON.parse(texts) : texts))
}
