import { GRANTS_SCHEMA } from '../grants/grants.ts'
import { LogoutOutbox } from './logout-outbox.ts'
import { SESSIONS_SCHEMA } from './sessions.ts'

/** The format of a user's object that this version reads and writes. */
export const FORMAT_VERSION = 3

/**
 * Converts the storage of a user's object to the current format. Storage that a newer version has
 * written is not touched, because this version could lose data it does not know about.
 */
export function migrate(storage: DurableObjectStorage): void {
  const version = storage.kv.get<number>('version')
  if (version === undefined || version === FORMAT_VERSION) return
  if (version > FORMAT_VERSION) throw new Error('A newer version has written this object.')
  storage.transactionSync(() => {
    if (version === 1) migrateFromVersion1(storage)
    else addAuthenticationMethods(storage)
    storage.kv.put('version', FORMAT_VERSION)
  })
}

/** Version 1 had indexes, and tables instead of kv entries for participants and logout notices. */
function migrateFromVersion1({ sql, kv }: DurableObjectStorage): void {
  sql.exec(`
    ALTER TABLE sessions RENAME TO sessions_1;
    ${SESSIONS_SCHEMA};
    INSERT INTO sessions
      SELECT key, sid, attempt, account, device, place, authenticated_at, forced_at, renewed_at,
        idle_expires_at, expires_at, NULL FROM sessions_1 ORDER BY rowid;
    DROP TABLE sessions_1;
    ALTER TABLE grants RENAME TO grants_1;
    ${GRANTS_SCHEMA};
    INSERT INTO grants
      SELECT id, key, client_id, sid, terms, generation, grace_until, code_expires_at, expires_at,
        idle_expires_at FROM grants_1 ORDER BY rowid;
    DROP TABLE grants_1;`)
  const outbox = new LogoutOutbox(kv)
  type Row = { sid: string; client_id: string }
  // Clients that still had to be notified are notified from the start.
  for (const { sid, client_id } of sql.exec<Row>('SELECT sid, client_id FROM outbox').toArray()) {
    outbox.addParticipant({ sid, clientId: client_id })
    outbox.notifyParticipants(sid)
  }
  for (const row of sql.exec<Row>('SELECT sid, client_id FROM participants').toArray()) {
    outbox.addParticipant({ sid: row.sid, clientId: row.client_id })
  }
  sql.exec('DROP TABLE participants; DROP TABLE outbox')
}

/** Version 2 did not record how a user was authenticated. Its tables are created by their first insert. */
function addAuthenticationMethods({ sql }: DurableObjectStorage): void {
  const tables = sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'sessions'").toArray()
  if (tables.length > 0) sql.exec('ALTER TABLE sessions ADD COLUMN amr TEXT')
}
