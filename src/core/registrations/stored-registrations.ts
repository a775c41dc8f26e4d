import { parseJsonObject } from '../../foundation/values/json.ts'
import type { Config } from '../config/config.ts'
import { validateApi, validateClient } from '../config/validate-registration.ts'
import type { Api } from '../registration-schemas/apis.ts'
import { type Client, sharedOrigins, toClient } from '../registration-schemas/clients.ts'
import { database } from '../storage/database.ts'
import { RegistrationError } from './registration-error.ts'
import { requireEffective } from './require-valid.ts'

/** A table of registrations. The id is a column, and a field of the registration. */
export interface Table {
  name: string
  idField: string
}

export const CLIENTS: Table = { name: 'clients', idField: 'client_id' }

export const APIS: Table = { name: 'apis', idField: 'identifier' }

/** A row of one of the tables. */
export interface Row {
  id: string
  /** The registration without the id, as JSON. */
  registration: string
  /** Only clients can be disabled. */
  disabled_at?: number | null
  /** 0 for a copy of a client of the settings, whose users may have granted something before. */
  created_at: number
  updated_at: number
}

/** All rows by id. */
export function selectRows(env: Env, { name, idField }: Table): D1PreparedStatement {
  return database(env).prepare(`SELECT *, ${idField} AS id FROM ${name} ORDER BY ${idField}`)
}

/** The row with this id. */
export function selectRow(env: Env, { name, idField }: Table, id: string): D1PreparedStatement {
  return database(env)
    .prepare(`SELECT *, ${idField} AS id FROM ${name} WHERE ${idField} = ?`)
    .bind(id)
}

/** The registration as it was stored, with its id, to show it. */
export function storedFields({ idField }: Table, { id, registration }: Row) {
  return { ...parseJsonObject(registration), [idField]: id }
}

/**
 * The same, to use it. Throws a {@link RegistrationError} if it cannot be read: a registration that
 * lost its fields would require nothing.
 */
export function readFields({ idField }: Table, { id, registration }: Row) {
  const fields = parseJsonObject(registration)
  if (fields) return { ...fields, [idField]: id }
  const message = 'The stored registration is not a JSON object: delete it, and create it again.'
  throw new RegistrationError({ path: [], code: 'invalid', message })
}

/** A client or API in the database. Its registration is parsed on first use. */
export class StoredRegistration<Parsed> {
  readonly row: Row
  readonly #parse: () => Parsed
  #parsed: Parsed | 'invalid' | undefined

  constructor(row: Row, parse: () => Parsed) {
    this.row = row
    this.#parse = parse
  }

  isSameAs({ registration, disabled_at, created_at, updated_at }: Row): boolean {
    return (
      this.row.updated_at === updated_at &&
      this.row.registration === registration &&
      this.row.disabled_at === disabled_at &&
      this.row.created_at === created_at
    )
  }

  /** Absent if it is disabled or invalid. */
  get enabled(): Parsed | undefined {
    const parsed = this.#readEnabled()
    return parsed === 'invalid' ? undefined : parsed
  }

  /** Whether it is not disabled, but has no usable value. */
  get isInvalid(): boolean {
    return this.#readEnabled() === 'invalid'
  }

  #readEnabled(): Parsed | 'invalid' | undefined {
    if (typeof this.row.disabled_at === 'number') return undefined
    this.#parsed ??= parseOrLog(this.row.id, this.#parse)
    return this.#parsed
  }
}

/** An API in the database. */
export class StoredApi extends StoredRegistration<Api> {
  readonly #config: Config
  #isUnidentified: boolean | undefined

  constructor(config: Config, row: Row) {
    super(row, () => requireEffective(validateApi(readFields(APIS, row), config)))
    this.#config = config
  }

  /** Whether its identifier is invalid, so that it may be meant for any API. */
  get isUnidentified(): boolean {
    this.#isUnidentified ??= validateApi(storedFields(APIS, this.row), this.#config).problems.some(
      ({ path: [field] }) => field === APIS.idField,
    )
    return this.#isUnidentified
  }
}

/** A client in the database. */
export class StoredClient extends StoredRegistration<Client> {
  readonly #config: Config
  #origins: readonly string[] | undefined

  constructor(config: Config, row: Row) {
    super(row, () => ({
      ...toClient(requireEffective(validateClient(readFields(CLIENTS, row), config)), config),
      registeredAt: row.created_at,
      updatedAt: row.updated_at,
    }))
    this.#config = config
  }

  /** The origins of its redirect URIs, without validating the rest of the registration. */
  get origins(): readonly string[] {
    this.#origins ??= readOrigins(this.row, this.#config)
    return this.#origins
  }
}

function readOrigins(row: Row, { isDevelopment }: Config): string[] {
  const uris: unknown = parseJsonObject(row.registration)?.['redirect_uris']
  const texts = [uris ?? []].flat().filter((uri) => typeof uri === 'string')
  const valid = texts.filter((uri) => URL.canParse(uri))
  return sharedOrigins(valid, isDevelopment)
}

/** An invalid row, which another program has written, must not affect other registrations. */
function parseOrLog<Parsed>(id: string, parse: () => Parsed): Parsed | 'invalid' {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof RegistrationError)) throw error
    const cause = `${id}: ${error.message}`
    console.error(JSON.stringify({ event: 'registration_invalid', cause }))
    return 'invalid'
  }
}
