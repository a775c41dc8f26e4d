-- Clients and APIs that are registered at runtime, administrators, blocked users, the audit log and its counters.

ALTER TABLE users ADD COLUMN blocked_at INTEGER; -- since when the user may not sign in

-- Administrators search for the beginning of a name or username, and for the provider's id of an account.
CREATE INDEX users_by_name ON users (name COLLATE NOCASE);
CREATE INDEX users_by_username ON users (username COLLATE NOCASE);
CREATE INDEX accounts_by_provider_account_id ON accounts (provider_account_id);

CREATE TABLE clients (
  client_id TEXT PRIMARY KEY,
  registration TEXT NOT NULL, -- JSON with the fields of [[vars.CLIENTS]], except client_id; secrets only as digests
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE apis (
  identifier TEXT PRIMARY KEY,
  registration TEXT NOT NULL, -- JSON with the fields of [[vars.APIS]], except identifier; secrets only as digests
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE administrators (
  name TEXT PRIMARY KEY, -- usr_…, or provider:account id
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id TEXT PRIMARY KEY, -- begins with the time, so that entries are sorted by it
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL, -- ok, or an error code
  actor TEXT NOT NULL, -- usr_…, client:<client_id>, anonymous, or service
  subject TEXT, -- what the event is about: usr_…, a client_id, the identifier of an API, the kid of a key
  client TEXT,
  provider TEXT,
  address TEXT, -- without the part that identifies one device
  request_id TEXT, -- the reference in the log and on error pages
  detail TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_by_subject ON audit (subject, id) WHERE subject IS NOT NULL;
-- Without sign-ins, so that they are not more expensive.
CREATE INDEX audit_by_event ON audit (event, id) WHERE event <> 'sign_in';

CREATE TABLE counters (
  hour INTEGER NOT NULL, -- the beginning of the hour
  event TEXT NOT NULL,
  provider TEXT NOT NULL, -- empty if none is known
  client TEXT NOT NULL, -- empty if none is known
  outcome TEXT NOT NULL, -- ok, or an error code
  count INTEGER NOT NULL,
  PRIMARY KEY (hour, event, provider, client, outcome)
) STRICT, WITHOUT ROWID;

-- The version of this schema, by which the service notices that migrations were not applied.
CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
INSERT INTO schema_version (version) VALUES (3);
