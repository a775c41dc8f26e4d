import { adminApi, apiSchema } from '../../config/apis.ts'
import type { AppContext } from '../../config/app-env.ts'
import { clientSchema } from '../../config/clients.ts'
import type { Config } from '../../config/config.ts'
import { apiStore } from '../../registrations/api-store.ts'
import { clientStore } from '../../registrations/client-store.ts'
import type {
  RegistrationRecord,
  RegistrationStore,
} from '../../registrations/registration-store.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { API_FIELDS, CLIENT_FIELDS, type FieldGroup } from '../registration-fields.ts'
import type { Section, TrailLink } from './console-parts.tsx'
import type { RegistrationView } from './registration-pages.tsx'

/** Clients and APIs have the same pages. */
export interface RegistrationKind {
  section: 'clients' | 'apis'
  title: string
  /** With its article. */
  noun: string
  setting: string
  /** The section of docs/operations.md that describes the fields. */
  documentation: string
  nameField: string
  /** The fields that administrators enter. */
  groups: readonly FieldGroup[]
  shape: () => typeof clientSchema.shape | typeof apiSchema.shape
  store: RegistrationStore
}

const clientKind: RegistrationKind = {
  section: 'clients',
  title: 'Clients',
  noun: 'a client',
  setting: 'CLIENTS',
  documentation: 'Fields of clients',
  nameField: 'client_name',
  groups: CLIENT_FIELDS,
  shape: () => clientSchema.shape,
  store: clientStore,
}

const apiKind: RegistrationKind = {
  section: 'apis',
  title: 'APIs',
  noun: 'an API',
  setting: 'APIS',
  documentation: 'Fields of APIs',
  nameField: 'name',
  groups: API_FIELDS,
  shape: () => apiSchema.shape,
  store: apiStore,
}

export const REGISTRATION_KINDS = { clients: clientKind, apis: apiKind }

/** What the pages show of a registration. */
export function viewRegistration(
  config: Config,
  { nameField }: RegistrationKind,
  { registration, ...stored }: RegistrationRecord,
): RegistrationView {
  const isOwn = stored.id === adminApi(config).identifier
  const name = registration[nameField]
  return {
    ...stored,
    source: isOwn ? 'service' : stored.source,
    name: typeof name === 'string' ? name : undefined,
    fields: registration,
  }
}

export async function readRegistration(
  c: AppContext,
  kind: RegistrationKind,
): Promise<RegistrationView | undefined> {
  const config = c.get('config')
  const record = await kind.store.read(c.env, config, c.req.param('id') ?? '')
  return record && viewRegistration(config, kind, record)
}

/** The page of a registration, and the name of the registration. */
export function registrationLink(
  section: Section,
  { id, name }: Pick<RegistrationView, 'id' | 'name'>,
): TrailLink {
  return {
    href: `/admin/${section}/${encodeURIComponent(id)}`,
    label: isolateTextDirection(name ?? id),
  }
}

export function withoutArticle(noun: string): string {
  return noun.replace(/^an? /, '')
}
