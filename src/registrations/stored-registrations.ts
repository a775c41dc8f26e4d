import type { Api } from '../config/apis.ts'
import { type Client, sharedOrigins, toClient } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { parseJsonObject } from '../values/json.ts'
import { parseApiRegistration, parseClientRegistration } from './parse-registration.ts'
import { RegistrationError } from './registration-error.ts'

/** A row of the table `clients`. */
export interface ClientRow {
  client_id: string
  /** The registration without the id, as JSON. */
  registration: string
  disabled_at: number | null
  /** 0 for a copy of a client of the settings, whose users may have granted something before. */
  created_at: number
  updated_at: number
}

/** A row of the table `apis`. */
export interface ApiRow {
  identifier: string
  /** The registration without the identifier, as JSON. */
  registration: string
  created_at: number
  updated_at: number
}

/** A client in the database. Its registration is parsed when it is needed for the first time. */
export class StoredClient {
  readonly row: ClientRow
  readonly #config: Config
  #client: Client | 'invalid' | undefined
  #origins: readonly string[] | undefined

  constructor(config: Config, row: ClientRow) {
    this.#config = config
    this.row = row
  }

  isSameAs({ registration, disabled_at, created_at }: ClientRow): boolean {
    return (
      this.row.registration === registration &&
      this.row.disabled_at === disabled_at &&
      this.row.created_at === created_at
    )
  }

  /** The client if it is enabled. One whose registration is invalid does not exist. */
  get client(): Client | undefined {
    if (this.row.disabled_at !== null) return undefined
    this.#client ??= parseOrLog('client_id', this.row.client_id, () => ({
      ...toClient(
        parseClientRegistration(this.#config, clientRegistration(this.row)),
        this.#config.isDevelopment,
      ),
      registeredAt: this.row.created_at,
    }))
    return this.#client === 'invalid' ? undefined : this.#client
  }

  /** The origins of its redirect URIs, without validating the rest of the registration. */
  get origins(): readonly string[] {
    this.#origins ??= readOrigins(this.row, this.#config)
    return this.#origins
  }
}

/** An API in the database. Its registration is parsed when it is needed for the first time. */
export class StoredApi {
  readonly row: ApiRow
  readonly #config: Config
  #api: Api | 'invalid' | undefined

  constructor(config: Config, row: ApiRow) {
    this.#config = config
    this.row = row
  }

  isSameAs({ registration }: ApiRow): boolean {
    return this.row.registration === registration
  }

  /** One whose registration is invalid does not exist. */
  get api(): Api | undefined {
    this.#api ??= parseOrLog('identifier', this.row.identifier, () =>
      parseApiRegistration(this.#config, apiRegistration(this.row)),
    )
    return this.#api === 'invalid' ? undefined : this.#api
  }
}

/** The registration of a client as it was stored, with its id. */
export function clientRegistration({ client_id, registration }: ClientRow) {
  return { ...parseJsonObject(registration), client_id }
}

/** The registration of an API as it was stored, with its identifier. */
export function apiRegistration({ identifier, registration }: ApiRow) {
  return { ...parseJsonObject(registration), identifier }
}

function readOrigins(row: ClientRow, { isDevelopment }: Config): string[] {
  const uris: unknown = parseJsonObject(row.registration)?.['redirect_uris']
  const addresses = [uris ?? []].flat().filter((uri) => typeof uri === 'string')
  return sharedOrigins(
    addresses.filter((uri) => URL.canParse(uri)),
    isDevelopment,
  )
}

/** A row that another program has written must not affect other clients. */
function parseOrLog<Parsed>(
  field: string,
  id: string,
  parseRegistration: () => Parsed,
): Parsed | 'invalid' {
  try {
    return parseRegistration()
  } catch (error) {
    if (!(error instanceof RegistrationError)) throw error
    const cause = `${field} ${id}: ${error.message}`
    console.error(JSON.stringify({ event: 'registration_invalid', cause }))
    return 'invalid'
  }
}
