import type { Child } from 'hono/jsx'
import { mayUse } from '../../../administration/console/authorization.ts'
import type { Fact } from '../../../administration/console/console-parts.tsx'
import { ifReadable } from '../../../administration/console/if-readable.ts'
import { Warnings } from '../../../administration/console/registration-form.tsx'
import type { RegistrationKind } from '../../../administration/console/registration-section.tsx'
import { apiStore } from '../../../administration/registrations/api-store.ts'
import { clientStore } from '../../../administration/registrations/client-store.ts'
import { unknownScopes } from '../../../administration/unknown-scopes.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import type { Api } from '../../../core/registration-schemas/apis.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { readClientSecrets } from '../metrics/client-secrets.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import { readSignInTotals } from '../sign-in-counts.ts'
import { kindOf } from './client-kind.ts'
import {
  CLIENT_ACTIONS,
  ClientSecrets,
  ClientSignIns,
  Connection,
  nameSecret,
  nameUse,
  warnOfUse,
} from './client-pages.tsx'
import { previewClient, previewRegistration } from './client-preview.tsx'
import { requestedPeriod } from './periods.ts'
import { countSignIns, createBars, partsOf, startOfPeriod } from './sign-in-bars.ts'

/** The pages of clients. */
export const CLIENTS: RegistrationKind = {
  store: clientStore,
  title: 'Clients',
  icon: 'M4 7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3zM4 10h16',
  noun: 'a client',
  purpose:
    'A client is an app that users sign in to. Add your first one, and copy the settings that it needs.',
  nameField: 'client_name',
  documentation: 'Fields of clients',
  create: 'createClient',
  update: 'updateClient',
  actions: CLIENT_ACTIONS,
  client: {
    previewPath: '/new/clients/preview',
    showPreview: previewClient,
    showSignInPage: previewRegistration,
  },
  readWarnings,
  readFurtherSubject: readSecretSubject,
  showMore: async (c, { id, registration, source, secret_count }) => {
    const [warnings, signIns, secrets] = await Promise.all([
      readWarnings(c, registration),
      showSignIns(c, id, registration),
      secret_count === 0 ? [] : ifReadable(readClientSecrets(c.env, c.get('config'), id)),
    ])
    const mayRemove = source === 'database' && mayUse(c, OPERATIONS.removeClientSecret)
    return (
      <>
        <ClientSecrets {...{ client: id, secrets, mayRemove }} />
        {showConnection(c, { id, registration, warnings })}
        {signIns}
      </>
    )
  },
  showWithSecret: async (c, { id, secret, registration }) => {
    // The secret is shown even if the database does not respond any more.
    const warnings = await readWarnings(c, registration).catch(() => [])
    return showConnection(c, { id, secret, registration, warnings })
  },
}

/** What a page says about the secret that its URL names, before it is removed. */
async function readSecretSubject(c: AppContext, id: string) {
  const secretId = c.req.param('secret')
  if (secretId === undefined) return { facts: [] }
  const secrets = await ifReadable(readClientSecrets(c.env, c.get('config'), id))
  const index = secrets?.findIndex((secret) => secret.id === secretId) ?? -1
  const secret = secrets?.[index]
  if (!secret) return { facts: [], warning: secrets ? undefined : UNKNOWN_USE }
  const { createdAt, lastUsedOn } = secret
  const facts: Fact[] = [
    ['Secret', nameSecret(index)],
    ['Created', createdAt === undefined ? 'unknown' : { time: createdAt }],
    ['Last used', lastUsedOn === undefined ? 'unknown' : nameUse(lastUsedOn)],
  ]
  return { facts, warning: lastUsedOn && warnOfUse(nameUse(lastUsedOn)) }
}

const UNKNOWN_USE = 'It is not known at the moment when this secret was last used.'

/** The sign-in page of a client, and its sign-ins; nothing for a machine, which signs nobody in. */
async function showSignIns(
  c: AppContext,
  client: string,
  registration: Record<string, unknown>,
): Promise<Child> {
  if (kindOf(registration) === 'machine') return undefined
  const period = requestedPeriod(c, '7d')
  const since = startOfPeriod(period)
  const { length } = partsOf(period)
  const totals = await requireStorage(() => readSignInTotals(c.env, { since, length, client }))
  return (
    <ClientSignIns
      {...{ client, period }}
      bars={createBars(period, totals, 0)}
      total={countSignIns(totals)}
    />
  )
}

async function readWarnings(c: AppContext, { scope }: Record<string, unknown>): Promise<string[]> {
  if (typeof scope !== 'string' || unknownScopes(scope, []).length === 0) return []
  const apis = await apiStore.list(c.env, c.get('config'))
  const known = apis.map(({ registration }) => ({ scopes: (registration as Api).scopes ?? [] }))
  return unknownScopes(scope, known).map(
    (name) => `No API has the scope ${name}. No token will contain it, until an API does.`,
  )
}

interface ClientConnection {
  id: string
  secret?: string
  registration: Record<string, unknown>
  warnings: readonly string[]
}

/** What an app needs to know, and what may not work. */
function showConnection(c: AppContext, { id, warnings, ...rest }: ClientConnection): Child {
  return (
    <>
      <Warnings warnings={warnings} />
      <Connection issuer={c.get('config').issuer} clientId={id} {...rest} />
    </>
  )
}
