-- Users and their accounts; clients and APIs that are registered at runtime; administrators; the audit log and its
-- counters; where the objects are. All times are in seconds since 1970.

CREATE TABLE users (
  id TEXT PRIMARY KEY, -- usr_…, the subject of our tokens; never reused for another user
  name TEXT,
  username TEXT,
  email TEXT,
  image TEXT,
  url TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, -- when the profile changed
  blocked_at INTEGER, -- since when the user may not sign in
  former_id TEXT -- the user's id in the service that they were imported from
) STRICT;

CREATE UNIQUE INDEX users_by_former_id ON users (former_id) WHERE former_id IS NOT NULL;

-- Administrators search for the beginning of a name or username.
CREATE INDEX users_by_name ON users (name COLLATE NOCASE) WHERE name IS NOT NULL;
CREATE INDEX users_by_username ON users (username COLLATE NOCASE) WHERE username IS NOT NULL;

-- An account belongs to an issuer: the same id at another issuer is another user.
CREATE TABLE accounts (
  provider TEXT NOT NULL,
  issuer TEXT NOT NULL, -- without a trailing slash; empty if the provider has none
  provider_account_id TEXT NOT NULL, -- the provider's id of the user, such as open_id or sub
  -- Checked at the end of the transaction: a sign-in inserts the account before the user.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  client_id TEXT NOT NULL, -- our client id at the provider; with another one, the same user may have another id
  union_id TEXT, -- the provider's id of the user in all apps of one developer
  label TEXT, -- the user's name at the provider, to distinguish accounts
  -- An address that the provider has verified. Comparisons ignore the case of ASCII letters.
  verified_email TEXT COLLATE NOCASE,
  scope TEXT, -- the scope granted at the last sign-in
  passkey TEXT, -- a copy of a passkey, in JSON, so that a backup of the database contains it
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, -- when a column above changed
  inserted_at REAL NOT NULL DEFAULT (unixepoch('subsec')), -- sorts accounts with the same created_at
  -- Begins with the id, for which administrators search without the provider.
  PRIMARY KEY (provider_account_id, provider, issuer)
) STRICT, WITHOUT ROWID;

CREATE INDEX accounts_by_user ON accounts (user_id);
CREATE INDEX accounts_by_union ON accounts (provider, issuer, union_id) WHERE union_id IS NOT NULL;
CREATE INDEX accounts_by_email ON accounts (verified_email) WHERE verified_email IS NOT NULL;

CREATE TABLE clients (
  client_id TEXT PRIMARY KEY,
  registration TEXT NOT NULL, -- JSON with the fields of [[vars.CLIENTS]], except client_id; secrets only as digests
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE apis (
  identifier TEXT PRIMARY KEY,
  registration TEXT NOT NULL, -- JSON with the fields of [[vars.APIS]], except identifier
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Clients that nobody has registered and that users have allowed, and the clients and hosts that are blocked.
CREATE TABLE unregistered_clients (
  id TEXT PRIMARY KEY, -- a client_id, or a blocked host
  hosts TEXT NOT NULL, -- of its document or its redirect URIs, separated by spaces
  name TEXT, -- that the client has given itself
  approvals INTEGER NOT NULL, -- how often users have allowed it
  created_at INTEGER NOT NULL, -- when it was first allowed or blocked
  approved_at INTEGER, -- when it was last allowed
  blocked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX blocked_clients ON unregistered_clients (id) WHERE blocked_at IS NOT NULL;

CREATE INDEX unregistered_clients_by_created_at ON unregistered_clients (created_at, id);

-- Where events are sent to.
CREATE TABLE webhooks (
  webhook_id TEXT PRIMARY KEY,
  registration TEXT NOT NULL, -- JSON with url, events and the sealed secrets
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  sent_until TEXT, -- the last entry of audit that was sent or put into webhook_deliveries
  run_id TEXT, -- the run that sends events at present
  run_until INTEGER -- when that run ends at the latest, or when the last one has ended
) STRICT, WITHOUT ROWID;

-- Events that a webhook has not accepted.
CREATE TABLE webhook_deliveries (
  webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
  event_id TEXT NOT NULL, -- the id of the entry in audit
  attempts INTEGER NOT NULL,
  failed_at INTEGER NOT NULL, -- when the first attempt failed
  due_at INTEGER, -- when the next attempt is made; absent if the event was given up
  problem TEXT NOT NULL, -- why the last attempt failed
  PRIMARY KEY (webhook_id, event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_deliveries_by_due_at ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;

CREATE TABLE administrators (
  name TEXT PRIMARY KEY, -- usr_…, or provider:account id
  role TEXT NOT NULL, -- owner or support
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL -- usr_…, client:<client_id>, or operator, like the actor of an audit entry
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id TEXT PRIMARY KEY, -- begins with the time, so that entries are sorted by it
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL, -- ok, or an error code
  actor TEXT NOT NULL, -- usr_…, client:<client_id>, operator, anonymous, or service
  subject TEXT, -- what the event is about: usr_…, a client_id, the identifier of an API, a webhook_id, kids, an administrator
  client TEXT,
  provider TEXT,
  network TEXT, -- of the client: an IPv4 /24 or IPv6 /48
  request_id TEXT, -- the reference in the log and on error pages
  detail TEXT -- of the sign-in that created a user: 'new user'
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_by_subject ON audit (subject, id) WHERE subject IS NOT NULL;
-- Without sign-ins, so that they are not more expensive.
CREATE INDEX audit_by_event ON audit (event, id) WHERE event <> 'sign_in';

-- How many entries were ever written before a time, by which the oldest ones are deleted when there are too many.
CREATE TABLE audit_marks (
  id TEXT PRIMARY KEY, -- sorts between the ids of the entries before this time and those after it
  total INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO audit_marks (id, total) VALUES ('', 0);

-- Which entries have been copied to the bucket, if there is one.
CREATE TABLE audit_export (
  exported_until INTEGER NOT NULL -- the beginning of the first hour that was not copied
) STRICT;

-- The number of sign-ins.
CREATE TABLE counters (
  hour INTEGER NOT NULL, -- the beginning of the hour
  provider TEXT NOT NULL, -- empty if none is known
  client TEXT NOT NULL, -- empty if none is known
  outcome TEXT NOT NULL, -- ok, or an error code
  count INTEGER NOT NULL,
  new_users INTEGER NOT NULL DEFAULT 0, -- how many of them created a user
  PRIMARY KEY (hour, provider, client, outcome)
) STRICT, WITHOUT ROWID;

-- Where the Durable Objects were created. With another jurisdiction, the same names would be other objects.
CREATE TABLE object_location (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  jurisdiction TEXT NOT NULL -- AUTH_JURISDICTION, or none
) STRICT;

-- The version of this schema, by which the service notices that migrations were not applied.
CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
INSERT INTO schema_version (version) VALUES (1);
