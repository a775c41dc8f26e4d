import type { AuditEvent, AuditOrigin } from '../../core/audit/audit-entry.ts'
import type { Config } from '../../core/config/config.ts'
import type { FieldShape } from '../../core/registration-schemas/registration-part.ts'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import {
  type Row,
  readFields,
  selectRow,
  selectRows,
  storedFields,
  type Table,
} from '../../core/registrations/stored-registrations.ts'
import { database } from '../../core/storage/database.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isObject } from '../../foundation/values/json.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { recordChange, repeatOnConflict } from './record-change.ts'

export type Fields = Record<string, unknown>

/** A client, API or webhook as administrators see it. */
export interface RegistrationRecord {
  id: string
  /** The fields of the settings with their defaults, without secrets. */
  registration: Fields
  /** How many secrets are valid. Absent for APIs, which have none. */
  secretCount?: number
  /** Those of the settings cannot be changed at runtime. */
  source: 'settings' | 'database'
  /** In seconds since 1970, like the other times. */
  disabledAt?: number
  createdAt?: number
  updatedAt?: number
}

/** Which registration is changed, and who changes it. */
export interface RegistrationChange {
  id: string
  origin: AuditOrigin
}

/** Reads and changes the clients, the APIs or the webhooks. Every change is recorded in the audit log. */
export abstract class RegistrationStore {
  /** Such as `client`. */
  abstract readonly noun: string
  readonly table: Table
  /** The events of the audit log begin with it. */
  protected abstract readonly eventPrefix: string
  /** The fields that cannot be updated. */
  protected abstract readonly fixedFields: readonly string[]

  constructor(table: Table) {
    this.table = table
  }

  /** Describes the fields that they have in a deployment with these features. */
  abstract schemaOf(features: Config['features']): { shape: FieldShape }

  /** Those of the settings and of the service itself, which cannot be changed. */
  protected abstract configured(config: Config): RegistrationRecord[]

  /** Throws a {@link RegistrationError} that lists everything wrong with a registration. */
  protected abstract validate(config: Config, registration: Fields): void

  /**
   * What administrators see of a registration in the database. An invalid one is shown as it is
   * stored.
   */
  protected abstract describe(
    config: Config,
    stored: Fields,
  ): Pick<RegistrationRecord, 'registration' | 'secretCount'>

  protected async beforeDeletion(_env: Env, _config: Config, _id: string): Promise<void> {}

  /** Called with a valid change before it is stored. */
  protected async beforeChange(
    _env: Env,
    _config: Config,
    _change: { id: string; former: Fields; changed: Fields },
  ): Promise<void> {}

  /** The registration after an update. */
  protected applyChanges(registration: Fields, changes: Fields): Fields {
    return mergePatch(registration, changes)
  }

  /** All of them: those that cannot be changed first, then those in the database by id. */
  async list(env: Env, config: Config): Promise<RegistrationRecord[]> {
    const { results } = await requireStorage(() => selectRows(env, this.table).all<Row>())
    const stored = results.filter(({ id }) => !this.findConfigured(config, id))
    return [...this.configured(config), ...stored.map((row) => this.toRecord(config, row))]
  }

  /** How many {@link list} returns. */
  async count(env: Env, config: Config): Promise<number> {
    const configured = this.configured(config).map(({ id }) => id)
    const { name, idField } = this.table
    const query = `SELECT count(*) AS count FROM ${name} WHERE ${idField} NOT IN (SELECT value FROM json_each(?))`
    const stored = await requireStorage(() =>
      database(env).prepare(query).bind(JSON.stringify(configured)).first<number>('count'),
    )
    return configured.length + (stored ?? 0)
  }

  /** The one with this id, enabled or not. */
  async read(env: Env, config: Config, id: string): Promise<RegistrationRecord | undefined> {
    const configured = this.findConfigured(config, id)
    if (configured) return configured
    const row = await this.findRow(env, id)
    return row && this.toRecord(config, row)
  }

  /** Stores a new registration. A secret that it gets is returned this once. */
  async create(
    env: Env,
    config: Config,
    { registration, origin }: { registration: unknown; origin: AuditOrigin },
  ): Promise<{ record: RegistrationRecord; secret?: string }> {
    const fields = withoutNull(registration)
    this.validate(config, fields)
    const { name, idField } = this.table
    const now = nowInSeconds()
    const row: Row = {
      id: String(fields[idField]),
      registration: this.serialize(fields),
      created_at: now,
      updated_at: now,
    }
    const isCreated =
      !this.findConfigured(config, row.id) &&
      (await recordChange<string>(env, config, {
        statement: database(env)
          .prepare(
            `INSERT INTO ${name} (${idField}, registration, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)
            ON CONFLICT DO NOTHING`,
          )
          .bind(row.id, row.registration, now),
        entry: { ...origin, event: `${this.eventPrefix}_created`, subject: row.id },
      }))
    if (!isCreated) {
      throw new RegistrationError({ path: [idField], code: 'exists', message: 'already exists.' })
    }
    return { record: this.toRecord(config, row) }
  }

  /** Changes fields of a registration (RFC 7396): null removes a field. */
  async update(
    env: Env,
    config: Config,
    { id, changes, origin }: RegistrationChange & { changes: Fields },
  ): Promise<RegistrationRecord> {
    rejectFields(changes, this.fixedFields)
    return this.change<string>(env, config, {
      id,
      origin,
      event: `${this.eventPrefix}_updated`,
      detail: Object.keys(changes).join(' '),
      change: (registration) => this.applyChanges(registration, changes),
    })
  }

  /** Deletes a registration. One that does not exist is deleted already. */
  async delete(env: Env, config: Config, { id, origin }: RegistrationChange): Promise<void> {
    this.#rejectConfigured(config, id)
    if (!(await this.findRow(env, id))) return
    await this.beforeDeletion(env, config, id)
    const { name, idField } = this.table
    await recordChange<string>(env, config, {
      statement: database(env).prepare(`DELETE FROM ${name} WHERE ${idField} = ?`).bind(id),
      entry: { ...origin, event: `${this.eventPrefix}_deleted`, subject: id },
    })
  }

  /** Replaces a registration. `change` is called again if somebody else has changed it. */
  protected async change<Event extends string = AuditEvent>(
    env: Env,
    config: Config,
    request: RegistrationChange & {
      event: NoInfer<Event>
      detail?: string
      change: (registration: Fields) => Fields
    },
  ): Promise<RegistrationRecord> {
    const { id, origin, event, detail, change } = request
    const { name, idField } = this.table
    return repeatOnConflict(async () => {
      const row = await this.requireRow(env, config, id)
      const former = readFields(this.table, row)
      const changed = change(former)
      this.validate(config, changed)
      await this.beforeChange(env, config, { id, former, changed })
      const registration = this.serialize(changed)
      const now = nowInSeconds()
      const isChanged = await recordChange<Event>(env, config, {
        statement: database(env)
          .prepare(
            `UPDATE ${name} SET registration = ?3, updated_at = ?4 WHERE ${idField} = ?1 AND registration = ?2`,
          )
          .bind(id, row.registration, registration, now),
        entry: { ...origin, event, subject: id, detail },
      })
      return isChanged
        ? this.toRecord(config, { ...row, registration, updated_at: now })
        : undefined
    })
  }

  protected async requireRow(env: Env, config: Config, id: string): Promise<Row> {
    this.#rejectConfigured(config, id)
    const row = await this.findRow(env, id)
    if (row) return row
    const message = `There is no ${this.noun} ${id}.`
    throw new RegistrationError({ path: [], code: 'not_found', message })
  }

  protected findConfigured(config: Config, id: string): RegistrationRecord | undefined {
    return this.configured(config).find((record) => record.id === id)
  }

  protected toRecord(config: Config, row: Row): RegistrationRecord {
    const { id, disabled_at, created_at, updated_at } = row
    return {
      id,
      ...this.describe(config, storedFields(this.table, row)),
      source: 'database',
      ...(typeof disabled_at === 'number' && { disabledAt: disabled_at }),
      ...(created_at > 0 && { createdAt: created_at }),
      updatedAt: updated_at,
    }
  }

  protected serialize({ [this.table.idField]: _, ...registration }: Fields): string {
    return JSON.stringify(registration)
  }

  protected async findRow(env: Env, id: string): Promise<Row | undefined> {
    const row = await requireStorage(() => selectRow(env, this.table, id).first<Row>())
    return row ?? undefined
  }

  #rejectConfigured(config: Config, id: string): void {
    if (!this.findConfigured(config, id)) return
    const message = `The ${this.noun} ${id} is in the settings, or part of this service: it cannot be changed here.`
    throw new RegistrationError({ path: [], code: 'read_only', message })
  }
}

function rejectFields(changes: Fields, fields: readonly string[]): void {
  const problems = fields
    .filter((field) => field in changes)
    .map(
      (field): Problem => ({
        path: [field],
        code: 'invalid',
        message: 'cannot be changed like this.',
      }),
    )
  if (problems.length > 0) throw new RegistrationError(...problems)
}

/** The fields of a new registration. */
export function withoutNull(registration: unknown): Fields {
  return isObject(registration) ? mergePatch(registration, {}) : {}
}

/** {@link https://www.rfc-editor.org/rfc/rfc7396}: null removes a field. */
function mergePatch(registration: Fields, changes: Fields): Fields {
  const merged = Object.entries({ ...registration, ...changes })
  return Object.fromEntries(merged.filter(([, value]) => value !== null))
}
