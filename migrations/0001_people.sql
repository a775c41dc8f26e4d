-- Users, and the provider accounts they sign in with.

CREATE TABLE users (
  id TEXT PRIMARY KEY, -- usr_…, the subject of our tokens; never reused for another user
  name TEXT,
  username TEXT,
  email TEXT,
  image TEXT,
  url TEXT,
  created_at INTEGER NOT NULL, -- seconds since 1970, like all times
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
  provider TEXT NOT NULL,
  provider_account_id TEXT NOT NULL, -- the provider's id of the user, such as open_id or sub
  -- Checked at the end of the transaction: a sign-in inserts the account before the user.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  client_id TEXT NOT NULL, -- our client id at the provider; with another one, the same user may have another id
  union_id TEXT, -- the provider's id of the user in all apps of one developer
  label TEXT, -- the user's name at the provider, to distinguish accounts
  verified_email TEXT, -- an address that the provider has verified
  scope TEXT, -- the scope granted at the last sign-in
  removed_at INTEGER, -- when our access was withdrawn, unless the user has signed in since
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (provider, provider_account_id)
) STRICT;

CREATE INDEX accounts_by_user ON accounts (user_id);
CREATE INDEX accounts_by_union ON accounts (provider, union_id) WHERE union_id IS NOT NULL;
CREATE INDEX accounts_by_email ON accounts (verified_email) WHERE verified_email IS NOT NULL;
