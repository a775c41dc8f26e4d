import { adminApi, apiSchema } from '../../config/apis.ts'
import type { AppContext } from '../../config/app-env.ts'
import { clientSchema } from '../../config/clients.ts'
import {
  type ApiRecord,
  createApi,
  listApis,
  readApi,
  updateApi,
} from '../../registrations/manage-apis.ts'
import {
  type ClientRecord,
  createClient,
  listClients,
  readClient,
  updateClient,
} from '../../registrations/manage-clients.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { API_FIELDS, CLIENT_FIELDS, type FieldGroup } from '../registration-fields.ts'
import { administratorOrigin } from './administrator-origin.ts'
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
  idField: string
  nameField: string
  /** The fields that administrators enter. */
  groups: readonly FieldGroup[]
  shape: () => typeof clientSchema.shape | typeof apiSchema.shape
  list(c: AppContext): Promise<RegistrationView[]>
  read(c: AppContext, id: string): Promise<RegistrationView | undefined>
  create(c: AppContext, registration: Record<string, unknown>): Promise<string | undefined>
  update(c: AppContext, id: string, changes: Record<string, unknown>): Promise<unknown>
}

const clientKind: RegistrationKind = {
  section: 'clients',
  title: 'Clients',
  noun: 'a client',
  setting: 'CLIENTS',
  documentation: 'Adding a frontend',
  idField: 'client_id',
  nameField: 'client_name',
  groups: CLIENT_FIELDS,
  shape: () => clientSchema.shape,
  list: async (c) => (await listClients(c.env, c.get('config'))).map(viewClient),
  async read(c, id) {
    const record = await readClient(c.env, c.get('config'), id)
    return record && viewClient(record)
  },
  async create(c, registration) {
    const origin = await administratorOrigin(c)
    return (await createClient(c.env, c.get('config'), { registration, origin })).clientSecret
  },
  async update(c, clientId, changes) {
    const origin = await administratorOrigin(c)
    await updateClient(c.env, c.get('config'), { clientId, changes, origin })
  },
}

const apiKind: RegistrationKind = {
  section: 'apis',
  title: 'APIs',
  noun: 'an API',
  setting: 'APIS',
  documentation: 'Adding an API',
  idField: 'identifier',
  nameField: 'name',
  groups: API_FIELDS,
  shape: () => apiSchema.shape,
  list: async (c) => (await listApis(c.env, c.get('config'))).map((api) => viewApi(c, api)),
  async read(c, id) {
    const record = await readApi(c.env, c.get('config'), id)
    return record && viewApi(c, record)
  },
  async create(c, registration) {
    const origin = await administratorOrigin(c)
    return (await createApi(c.env, c.get('config'), { registration, origin })).apiSecret
  },
  async update(c, identifier, changes) {
    const origin = await administratorOrigin(c)
    await updateApi(c.env, c.get('config'), { identifier, changes, origin })
  },
}

export const REGISTRATION_KINDS = { clients: clientKind, apis: apiKind }

function viewClient({ registration, ...stored }: ClientRecord): RegistrationView {
  return {
    ...stored,
    id: registration.client_id,
    name: registration.client_name,
    fields: registration,
  }
}

function viewApi(c: AppContext, { registration, ...stored }: ApiRecord): RegistrationView {
  const { identifier, name } = registration
  const isOwn = identifier === adminApi(c.get('config')).identifier
  const source = isOwn ? 'service' : stored.source
  return { ...stored, source, id: identifier, name, fields: registration }
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
