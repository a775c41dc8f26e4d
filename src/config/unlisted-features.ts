import { type Problem, UNLISTED } from '../values/problem.ts'

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
}

const TRACES: readonly FeatureTrace[] = [
  {
    id: 'admin',
    call: 'admin()',
    setting: 'AUTH_ADMINS',
    rows: 'SELECT 1 FROM administrators',
  },
  { id: 'agents', call: 'agents()', setting: 'UNREGISTERED_CLIENTS' },
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
    rows: "SELECT 1 FROM clients WHERE registration -> '$.upstream_tokens[0]' IS NOT NULL",
  },
  {
    id: 'roles',
    call: 'roles()',
    rows: 'SELECT 1 FROM users WHERE roles IS NOT NULL',
  },
  {
    id: 'sender-constrained',
    call: 'senderConstrained()',
    rows: "SELECT 1 FROM clients WHERE 'true' IN (registration -> '$.require_pushed_authorization_requests', registration -> '$.dpop_bound_access_tokens') OR registration -> '$.profile' IS NOT NULL",
  },
  { id: 'webhooks', call: 'webhooks()', rows: 'SELECT 1 FROM webhooks' },
  { id: 'qr-sign-in', call: 'qrSignIn()', setting: 'AUTH_TIKTOK_QR' },
]

type Listed = readonly { id: string }[]

function unlistedTraces(features: Listed): FeatureTrace[] {
  return TRACES.filter(({ id }) => !features.some((feature) => feature.id === id))
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
  const columns = unlistedTraces(features).flatMap(({ call, rows }) =>
    rows === undefined ? [] : [`EXISTS (${rows}) AS "${call}"`],
  )
  return `SELECT ${['0 AS none', ...columns]}`
}
