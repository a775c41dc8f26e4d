import type { AuditOrigin } from '../../../core/audit/audit-entry.ts'
import { auditStatementsIfChanged } from '../../../core/audit/audit-log.ts'
import type { Config } from '../../../core/config/config.ts'
import { RegistrationError } from '../../../core/registrations/registration-error.ts'
import { database } from '../../../core/storage/database.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import {
  administratorIssuers,
  HOLDERS,
  holderBindings,
  lastOwnerError,
  OWNERS,
} from '../../../core/users/administrators.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import { validate } from '../../../foundation/values/problem.ts'
import type { AdminEvent } from '../audit-sentences.ts'
import type { Administrator } from '../resources/administrator.ts'
import { type AdminRole, administratorSchema } from '../roles.ts'
import { listAdministrators } from './administrators.ts'

interface AdministratorChange {
  name: string
  origin: AuditOrigin
}

/**
 * Makes a user an administrator, or changes the role of one. Throws a {@link RegistrationError} if
 * the name is invalid, or nobody would be left who can change everything.
 */
export async function setAdministrator(
  env: Env,
  config: Config,
  { name, role, origin }: AdministratorChange & { role: AdminRole },
): Promise<Administrator> {
  rejectInvalidName(config, name)
  rejectConfigured(config, name)
  const record = (event: 'administrator_added' | 'administrator_changed') =>
    auditStatementsIfChanged<AdminEvent>(env, config, {
      ...origin,
      event,
      subject: name,
      detail: role,
    })
  await requireStorage(() =>
    database(env).batch([
      database(env).prepare(ADD).bind(name, role, nowInSeconds(), origin.actor),
      ...record('administrator_added'),
      database(env)
        .prepare(CHANGE)
        .bind(...holderBindings(config), name, role),
      ...record('administrator_changed'),
    ]),
  )
  const administrator = await findStored(env, config, name)
  if (administrator?.role === role) return administrator
  throw lastOwnerError(name)
}

/**
 * Removes an administrator. Returns false if there is none with this name, and throws a
 * {@link RegistrationError} if nobody would be left who can change everything.
 */
export async function removeAdministrator(
  env: Env,
  config: Config,
  { name, origin }: AdministratorChange,
): Promise<boolean> {
  const present = await findStored(env, config, name)
  if (!present) {
    rejectConfigured(config, name)
    return false
  }
  await requireStorage(() =>
    database(env).batch([
      database(env)
        .prepare(REMOVE)
        .bind(...holderBindings(config), name),
      ...auditStatementsIfChanged<AdminEvent>(env, config, {
        ...origin,
        event: 'administrator_removed',
        subject: name,
        detail: present.role,
      }),
    ]),
  )
  if (await findStored(env, config, name)) throw lastOwnerError(name)
  return true
}

async function findStored(
  env: Env,
  config: Config,
  name: string,
): Promise<Administrator | undefined> {
  const administrators = await listAdministrators(env, config)
  return administrators.find((other) => other.name === name && other.source === 'database')
}

function rejectInvalidName(config: Config, name: string): void {
  const { problems } = validate(administratorSchema().shape.name, name, ['name'])
  if (problems.length > 0) throw new RegistrationError(...problems)
  const providers = Object.keys(administratorIssuers(config))
  const provider = name.slice(0, name.indexOf(':'))
  if (name.startsWith('usr_') || providers.includes(provider)) return
  throw new RegistrationError({
    path: ['name'],
    code: 'invalid',
    message: `has an account of ${provider}, with which nobody can become an administrator: use usr_…, or an account of ${providers.join(', ')}.`,
  })
}

function rejectConfigured(config: Config, name: string): void {
  if (!config.administrators.includes(name)) return
  throw new RegistrationError({
    path: [],
    code: 'read_only',
    message: `${name} is in AUTH_ADMINS in the settings, which makes it an owner: change it there, and deploy.`,
  })
}

/** The name of the only entry that makes a user who exists and is not blocked an owner. */
const LAST_OWNER = `(SELECT min(name) FROM (${OWNERS}) HAVING count(*) = 1)`

const ADD = `
  INSERT INTO administrators (name, role, created_at, created_by) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (name) DO NOTHING`

const CHANGE = `${HOLDERS}
  UPDATE administrators SET role = ?4
  WHERE name = ?3 AND role <> ?4 AND (role <> 'owner' OR name IS NOT ${LAST_OWNER})`

const REMOVE = `${HOLDERS}
  DELETE FROM administrators
  WHERE name = ?3 AND (role <> 'owner' OR name IS NOT ${LAST_OWNER})`
