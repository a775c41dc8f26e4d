import { AUDIT_EVENTS } from '../core/audit/audit-entry.ts'
import type { Feature } from '../core/config/feature.ts'
import { settingNames } from '../core/config/settings.ts'
import { LOG_EVENTS } from '../core/http/log-events.ts'
import { USE_LIMITS } from '../core/limits/limit-table.ts'
import { readEnglish } from '../core/messages/english.ts'
import { readTexts } from '../core/messages/languages.ts'
import { COUNTERS, type Counters, DURATION } from '../core/metrics/metric-table.ts'
import { apiSchema } from '../core/registration-schemas/apis.ts'
import { clientSchema } from '../core/registration-schemas/clients.ts'
import { PURPOSES } from '../foundation/crypto/seal.ts'
import { OAUTH_ERRORS } from '../foundation/errors/oauth-error.ts'
import { SIGN_IN_ERRORS } from '../foundation/errors/sign-in-error.ts'
import type { Problem } from '../foundation/values/problem.ts'

/** The names of one kind: those of the core, and those that a feature declares. */
interface WordKind {
  /** What problems call such a name. */
  kind: string
  core(): readonly string[]
  declaredBy(feature: Feature): readonly string[]
}

export const WORD_KINDS: readonly WordKind[] = [
  {
    kind: 'limit',
    core: () => Object.keys(USE_LIMITS),
    declaredBy: ({ limits = {} }) => Object.keys(limits),
  },
  {
    kind: 'event of the audit log',
    core: () => AUDIT_EVENTS,
    declaredBy: ({ audit = {} }) => Object.keys(audit),
  },
  { kind: 'event of the log', core: () => LOG_EVENTS, declaredBy: ({ log = [] }) => log },
  {
    kind: 'error for users',
    core: () => Object.keys(SIGN_IN_ERRORS),
    declaredBy: ({ errors }) => errors?.users ?? [],
  },
  {
    kind: 'error for clients',
    core: () => Object.keys(OAUTH_ERRORS),
    declaredBy: ({ errors }) => errors?.clients ?? [],
  },
  {
    kind: 'metric',
    core: () => [...Object.keys(COUNTERS), DURATION.name],
    declaredBy: ({ metrics = {} }) => ownMetrics(metrics),
  },
  {
    kind: 'field of clients',
    core: () => Object.keys(clientSchema().shape),
    declaredBy: ({ registrations }) => Object.keys(registrations?.clients?.fields ?? {}),
  },
  {
    kind: 'field of APIs',
    core: () => Object.keys(apiSchema().shape),
    declaredBy: ({ registrations }) => Object.keys(registrations?.apis?.fields ?? {}),
  },
  {
    kind: 'setting',
    core: settingNames,
    declaredBy: ({ settings = [] }) => settings.map(({ name }) => name),
  },
  { kind: 'purpose', core: () => PURPOSES, declaredBy: ({ seals = [] }) => seals },
]

/** Those without `help` belong to the core. */
function ownMetrics(metrics: Counters): string[] {
  return Object.entries(metrics).flatMap(([name, { help }]) => (help === undefined ? [] : name))
}

/** Texts are parsed when they are needed. */
export const textKind = (): WordKind => ({
  kind: 'text',
  core: () => Object.keys(readEnglish()),
  declaredBy: (feature) => readTexts([feature]).flatMap(({ en = {} }) => Object.keys(en)),
})

/** Those of the admin API, whose description has each id once. */
const OPERATIONS: WordKind = {
  kind: 'operation',
  core: () => [],
  declaredBy: ({ operations, area }) => [
    ...(area?.operationIds ?? []),
    ...Object.keys(operations?.table ?? {}),
  ],
}

/**
 * Two features, or a feature and the core, that have the same name for something. The texts of
 * operators' own features are not JSON; without any, a test has compared all of them.
 */
export function findSharedWords(features: readonly Feature[]): Problem[] {
  const hasOwnTexts = features.some(({ texts = '' }) => typeof texts !== 'string')
  const kinds = [...WORD_KINDS, OPERATIONS, ...(hasOwnTexts ? [textKind()] : [])]
  return kinds.flatMap(({ kind, core, declaredBy }) => {
    const declaring = features.filter((feature) => declaredBy(feature).length > 0)
    if (declaring.length === 0) return []
    const owners = new Map(core().map((word) => [word, 'the core']))
    return declaring.flatMap((feature) =>
      declaredBy(feature).flatMap((word): Problem[] => {
        const owner = owners.get(word)
        owners.set(word, owner ?? feature.id)
        // Two providers can have the same method.
        if (owner === undefined || owner === feature.id) return []
        const message = `has the ${kind} ${word}, which ${owner} has too: choose another name.`
        return [{ path: ['features', feature.id], code: 'invalid', message }]
      }),
    )
  })
}
