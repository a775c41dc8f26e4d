import { describe, expect, it } from 'vitest'
import type { Feature } from '../../src/core/config/feature.ts'
import { validateOptions } from '../../src/core/config/options.ts'
import { LOG_EVENTS } from '../../src/core/http/log-events.ts'
import { readEnglish } from '../../src/core/messages/english.ts'
import { defineFeature } from '../../src/define-feature/define-feature.ts'
import { textKind, WORD_KINDS } from '../../src/define-feature/feature-words.ts'
import { auditExport } from '../../src/features/audit-export/feature.ts'
import { deviceBound } from '../../src/features/device-bound/feature.ts'
import { totp } from '../../src/features/totp/feature.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { everyWayToSignIn } from './every-way-to-sign-in.ts'

const { features = [] } = everyWayToSignIn

const { declared } = validateOptions(
  { ...everyWayToSignIn, features: [...features, auditExport(), totp(), deviceBound()] },
  readEnglish,
)

const sources = import.meta.glob<string>('../../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/**
 * What may not know the names of features. The list of what a deployment has used before does, and
 * what APIs without a deployment need.
 */
const CORE =
  /src\/(foundation|core|providers|administration)\/(?!resource-server\/|config\/unlisted-features\.ts)|src\/vestibule\.ts/

const core = Object.fromEntries(Object.entries(sources).filter(([path]) => CORE.test(path)))

/**
 * How code refers to a name that is also an ordinary word, such as email, by kind. Any other name is
 * found wherever it is quoted, or the name of a property.
 */
const USES: Readonly<Record<string, (word: string) => string>> = {
  limit: (word) => `(?:LIMITS|DELAYS)(?:\\.|\\[')${word}\\b|limits.*name: '${word}'`,
  'field of clients': (word) => `\\b(?:client|registration)\\.${word}\\b|\\b${word}: field\\(`,
  'field of APIs': (word) => `\\b(?:api|registration)\\.${word}\\b|\\b${word}: field\\(`,
  purpose: (word) => `purpose: '${word}'|\\.(?:seal|open|openAndRenew)(?:<.*>)?\\('${word}'`,
}

/** Code that refers to a name, by kind. */
const EXAMPLES: Readonly<Record<string, (word: string) => string>> = {
  limit: (word) => `countUse(env, { limits: USE_LIMITS, name: '${word}' }, requester)`,
  'event of the audit log': (word) => `recordAuditEntry(env, config, { event: '${word}' })`,
  'event of the log': (word) => `addToLog(c, { event: '${word}' })`,
  'error for users': (word) => `throw new SignInError('${word}')`,
  'error for clients': (word) => `if (error.code === '${word}') return undefined`,
  'field of clients': (word) => `if (client.${word}) return undefined`,
  'field of APIs': (word) => `return apis.flatMap((api) => api.${word})`,
  setting: (word) => `const value = settings['${word}']`,
  metric: (word) => `count('${word}', { outcome: 'sent' })`,
  purpose: (word) => `return seal.open('${word}', '', sealed)`,
  text: (word) => `return messages.t('${word}')`,
}

function refersTo(kind: string, word: string): RegExp {
  if (kind === 'text') return new RegExp(`['"\`]${word.replaceAll('.', '\\.')}['"\`]`)
  const isOrdinary = /^[a-z]+$/.test(word)
  const uses = USES[kind]?.(word)
  return new RegExp(isOrdinary && uses ? uses : `['"\`]${word}['"\`]|\\b${word}\\??:|\\.${word}\\b`)
}

const words = [...WORD_KINDS, textKind()].flatMap(({ kind, declaredBy }) =>
  declared.features.flatMap((feature) =>
    declaredBy(feature).map((word) => ({ kind, word, feature: feature.id })),
  ),
)

/** The files of the core that refer to a name of a feature. */
function findWords(modules: Record<string, string>, checked: typeof words): string[] {
  return checked.flatMap(({ kind, word, feature }) => {
    const pattern = refersTo(kind, word)
    return Object.entries(modules)
      .filter(([, source]) => pattern.test(source))
      .map(([path]) => `${path} has the ${kind} ${word} of ${feature}`)
  })
}

/** What the files of a feature write to the log. */
const LOGGED =
  /(?:console\.\w+\(\s*JSON\.stringify\(\{\s*event|addToLog(?:<.*>)?\(c, \{\s*event): '(\w+)'/g

describe('a feature', () => {
  it.each(declared.features)(
    'declares the events that it writes to the log: $id',
    ({ id, log }) => {
      const events = Object.entries(sources)
        .filter(([path]) => path.includes(`src/features/${id}/`))
        .flatMap(([, source]) => Array.from(source.matchAll(LOGGED), ([, event = '']) => event))

      expect([...LOG_EVENTS, ...(log ?? [])]).toEqual(expect.arrayContaining(events))
    },
  )
})

/** A deployment with these features. */
function create(...added: Feature[]) {
  return createVestibule({ ...everyWayToSignIn, features: [...features, ...added] })
}

describe('the core', () => {
  it('refers to no name that a feature declares', () => {
    expect(findWords(core, words)).toEqual([])
  })

  it.each(words)('is reported if it refers to the $kind $word of $feature', (word) => {
    const planted = { '../../src/core/oidc/token.ts': EXAMPLES[word.kind]?.(word.word) ?? '' }

    expect(findWords(planted, [word])).toHaveLength(1)
  })

  it('has a folder of src for every feature whose names are compared', () => {
    const folders = Object.keys(sources).flatMap(
      (path) => /src\/features\/([^/]+)/.exec(path)?.[1] ?? [],
    )

    expect(declared.features.map(({ id }) => id).sort()).toEqual([...new Set(folders)].sort())
  })

  it('is most of the files of src outside of the features', () => {
    expect(Object.keys(core).length).toBeGreaterThan(200)
    expect(Object.keys(core)).toContain('../../src/core/oidc/token.ts')
  })
})

describe('createVestibule', () => {
  it.each(WORD_KINDS.map(({ kind }) => kind))(
    'rejects two features that have the same %s',
    (kind) => {
      const { word, feature } = words.find((one) => one.kind === kind) ?? {}
      const other = declared.features.find(({ id }) => id === feature)

      expect(other).toBeDefined()
      expect(() => create({ ...other, id: 'badges' })).toThrow(
        // Local methods come after the other features.
        new RegExp(
          `features\\.(badges|${feature}) has the ${kind} ${word}, which (?!\\1)(badges|${feature}) has too: choose another name\\.`,
        ),
      )
    },
  )

  it('rejects a feature with an operation of the admin API, and two with the same', () => {
    const operation = { summary: 'x', button: 'x', done: 'x', run: async () => undefined }
    const own = (id: string, name: string) =>
      defineFeature({ id, operations: { [name]: operation } })

    expect(() => create(own('user', 'block'))).toThrow(
      'features.user has the operation blockUser, which admin has too: choose another name.',
    )
    expect(() => create(own('open-api', 'get'))).toThrow('the operation getOpenApi')
    expect(() => create(own('b', 'xA'), own('a-b', 'x'))).toThrow(
      'features.a-b has the operation xAB, which b has too: choose another name.',
    )
    expect(() => create(own('badges', 'block'))).not.toThrow()
  })

  it('rejects a feature with a limit of the core', () => {
    const badges = { id: 'badges', limits: { 'client secrets': [{ max: 1, period: 60 }] } }

    expect(() => create(badges)).toThrow(
      'features.badges has the limit client secrets, which the core has too: choose another name.',
    )
  })
})
