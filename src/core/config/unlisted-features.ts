import { isObject } from '../../foundation/values/json.ts'
import { needsFeature, type Problem, UNLISTED } from '../../foundation/values/problem.ts'

/*
 * What a deployment would lose silently if it does not list a feature that it has used. Nothing else
 * in the core knows features, and this knows only their names.
 */

interface FeatureTrace {
  /** The id of the feature. */
  id: string
  /** How a deployment lists it. */
  call: string
  /** A setting that only the feature reads. */
  setting?: string
  /** Finds rows that only the feature uses. */
  rows?: string
  /** Fields of registrations that only the feature reads. */
  fields?: Partial<Record<RegistrationKind, readonly string[]>>
  /**
   * Whether the fields require more of clients. Without the feature, a registration that has them is
   * disabled, so that the requirement does not disappear.
   */
  restricts?: boolean
}

type RegistrationKind = 'clients' | 'apis'

const TRACES: readonly FeatureTrace[] = [
  {
    id: 'admin',
    call: 'admin()',
    setting: 'AUTH_ADMINS',
    rows: 'SELECT 1 FROM administrators',
  },
  {
    id: 'agents',
    call: 'agents()',
    setting: 'UNREGISTERED_CLIENTS',
    fields: { apis: ['unregistered_client_scopes'] },
  },
  { id: 'audit-export', call: 'auditExport()', rows: 'SELECT 1 FROM audit_export' },
  {
    id: 'device',
    call: 'device()',
    rows: "SELECT 1 FROM clients WHERE registration LIKE '%:grant-type:device_code%'",
  },
  {
    id: 'native-apps',
    call: 'nativeApps()',
    rows: "SELECT 1 FROM clients WHERE registration LIKE '%:grant-type:token-exchange%' OR registration LIKE '%:grant-type:provider-code%'",
  },
  {
    id: 'previews',
    call: 'previews()',
    rows: "SELECT 1 FROM clients WHERE registration -> '$.redirect_uris' LIKE '%*%'",
  },
  {
    id: 'provider-tokens',
    call: 'providerTokens()',
    fields: { clients: ['upstream_tokens'] },
  },
  {
    id: 'roles',
    call: 'roles()',
    rows: 'SELECT 1 FROM users WHERE roles IS NOT NULL',
    fields: { apis: ['roles'] },
  },
  {
    id: 'sender-constrained',
    call: 'senderConstrained()',
    fields: {
      clients: ['profile', 'require_pushed_authorization_requests', 'dpop_bound_access_tokens'],
      apis: ['dpop_bound_access_tokens_required'],
    },
    restricts: true,
  },
  { id: 'webhooks', call: 'webhooks()', rows: 'SELECT 1 FROM webhooks' },
  { id: 'qr-sign-in', call: 'qrSignIn()', setting: 'AUTH_TIKTOK_QR' },
]

type Listed = readonly { id: string }[]

function unlistedTraces(features: Listed): FeatureTrace[] {
  return TRACES.filter(({ id }) => !features.some((feature) => feature.id === id))
}

/** Whether only a feature reads this setting, listed or not. */
export function isSettingOfFeature(name: string): boolean {
  return TRACES.some(({ setting }) => setting === name)
}

/** The settings of features that are not listed. */
export function unlistedSettings(
  settings: Readonly<Record<string, unknown>>,
  features: Listed,
): Problem[] {
  return unlistedTraces(features).flatMap(({ call, setting }): Problem[] =>
    setting === undefined || settings[setting] === undefined
      ? []
      : [
          {
            path: [setting],
            code: 'unlisted',
            message: `is a setting of ${call}, ${UNLISTED}: import it from vestibule-auth/features and add it, or remove the setting.`,
          },
        ],
  )
}

/** A statement with one column for each feature that is not listed, 1 if there are rows of it. */
export function selectUnlistedRows(features: Listed): string {
  const columns = unlistedTraces(features).flatMap(({ call, rows, fields = {} }) => {
    const selects = [
      ...(rows === undefined ? [] : [rows]),
      ...Object.entries(fields).map(([table, names]) => selectWithFields(table, names)),
    ]
    const conditions = selects.map((select) => `EXISTS (${select})`)
    return conditions.length === 0 ? [] : [`${conditions.join(' OR ')} AS "${call}"`]
  })
  return `SELECT ${['0 AS none', ...columns]}`
}

/** The registrations in which one of these fields has an effect. */
function selectWithFields(table: string, names: readonly string[]): string {
  const conditions = names.map(
    (name) => `registration -> '$.${name}' NOT IN ('null', 'false', '[]')`,
  )
  return `SELECT 1 FROM ${table} WHERE ${conditions.join(' OR ')}`
}

/** A registration without the fields of features that are not listed, and what they would do. */
export function separateUnlisted(
  registration: unknown,
  kind: RegistrationKind,
  features: Listed,
): { known: unknown; unlisted: Record<string, unknown>; problems: Problem[] } {
  if (!isObject(registration)) return { known: registration, unlisted: {}, problems: [] }
  const traces = unlistedTraces(features).flatMap(({ fields, ...trace }) =>
    (fields?.[kind] ?? []).map((field) => ({ ...trace, field })),
  )
  const isUnlisted = ([name]: [string, unknown]) => traces.some(({ field }) => field === name)
  const entries = Object.entries(registration)
  return {
    known: Object.fromEntries(entries.filter((entry) => !isUnlisted(entry))),
    unlisted: Object.fromEntries(entries.filter(isUnlisted)),
    problems: traces
      .filter(({ field }) => hasEffect(registration[field]))
      .map(({ field, call, restricts }) => ({
        path: [field],
        code: restricts ? 'invalid' : 'unlisted',
        message: needsFeature(call),
      })),
  }
}

function hasEffect(value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0
  return value !== undefined && value !== null && value !== false && !isEmpty
}
