-- People, and the provider accounts they sign in with.

CREATE TABLE users (
  id TEXT PRIMARY KEY, -- usr_…, the subject of our tokens; never given to anybody else
  name TEXT,
  username TEXT,
  email TEXT,
  image TEXT,
  url TEXT,
  created_at INTEGER NOT NULL, -- seconds since 1970, as all times
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
  provider TEXT NOT NULL,
  provider_account_id TEXT NOT NULL, -- the provider's name for the person, such as open_id or sub
  -- Checked when the transaction ends: a sign-in claims the account before it writes the user.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  client_id TEXT NOT NULL, -- the app the platform knew us as; another app may see other ids
  union_id TEXT, -- the person's name across one developer's apps
  label TEXT, -- what the person is called there, to tell accounts apart
  verified_email TEXT, -- an address the provider vouches for
  scope TEXT, -- what was granted at the last sign-in
  removed_at INTEGER, -- when the person took back what they had granted us, unless they signed in since
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (provider, provider_account_id)
) STRICT;

CREATE INDEX accounts_by_user ON accounts (user_id);
CREATE INDEX accounts_by_union ON accounts (provider, union_id) WHERE union_id IS NOT NULL;
CREATE INDEX accounts_by_email ON accounts (verified_email) WHERE verified_email IS NOT NULL;
