import type { ShownFields } from './shown-fields.ts'

/** What a client, an API or a webhook has in a response besides its own fields. */
export interface StoredRegistration {
  /** `service`: it is part of the service itself. */
  source: 'settings' | 'database' | 'service'
  /** Absent for APIs, which have none. */
  secret_count?: number | undefined
  disabled_at?: number | undefined
  created_at?: number | undefined
  updated_at?: number | undefined
}

/** The columns of a list, besides the id and the name. */
export const REGISTRATION_FIELDS = {
  State: ({ disabled_at: since }) =>
    since === undefined ? { good: 'enabled' } : { problem: 'disabled', since },
  Secrets: ({ secret_count }) => secret_count,
  'Defined in': ({ source }) => (source === 'service' ? 'the service' : source),
} satisfies ShownFields<StoredRegistration>
