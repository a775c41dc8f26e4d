import type { Registration } from '../core/registration-schemas/clients.ts'

/** A kind of app, and what its registration differs in from the defaults. */
interface ClientKind {
  title: string
  description: string
  fields: Partial<Registration>
  /** The section of docs/relying-apps.md with code for it. */
  recipe: string
}

/** The console and the command line set the fields of a kind, unless others are entered. */
export const CLIENT_KINDS = {
  web: {
    title: 'Web app',
    description: 'It has a server, which keeps a secret.',
    fields: {},
    recipe: 'A server',
  },
  browser: {
    title: 'Browser app',
    description: 'It runs in the browser alone, and has no secret.',
    fields: { token_endpoint_auth_method: 'none' },
    recipe: 'A browser app with oidc-client-ts',
  },
  native: {
    title: 'Native app',
    description: 'It is installed on phones or computers, and has no secret.',
    fields: { application_type: 'native', token_endpoint_auth_method: 'none' },
    recipe: 'Other libraries',
  },
  machine: {
    title: 'Machine',
    description: 'It acts for itself, not for users. It needs scopes and APIs, under Advanced.',
    fields: { grant_types: ['client_credentials'] },
    recipe: 'An API',
  },
} satisfies Record<string, ClientKind>

export type ClientKindName = keyof typeof CLIENT_KINDS

/** The fields that follow from the kind of an app. */
export const KIND_FIELDS: readonly (keyof Registration)[] = [
  'application_type',
  'token_endpoint_auth_method',
  'grant_types',
]
