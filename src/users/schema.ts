/** The tables of a person's object. Times are seconds since 1970. */
export const SCHEMA = [
  `CREATE TABLE sessions (
    key TEXT PRIMARY KEY,
    sid TEXT NOT NULL,
    attempt TEXT NOT NULL UNIQUE,
    account TEXT,
    device TEXT,
    place TEXT,
    authenticated_at INTEGER NOT NULL,
    forced_at INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    client_id TEXT NOT NULL,
    sid TEXT NOT NULL,
    terms TEXT NOT NULL,
    generation INTEGER NOT NULL,
    grace_until INTEGER NOT NULL DEFAULT 0,
    code_expires_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX grants_by_session ON grants (sid);
  CREATE TABLE participants (
    sid TEXT NOT NULL,
    client_id TEXT NOT NULL,
    PRIMARY KEY (sid, client_id)
  ) STRICT;
  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    client_id TEXT NOT NULL,
    sid TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL
  ) STRICT;`,
]

/** How the tables are asked. */
export type Tables = Pick<SqlStorage, 'exec'>
