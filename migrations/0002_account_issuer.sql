-- An account belongs to an issuer: the same id at another issuer is another user. Providers with one address
-- have a constant issuer. For the others the issuer of existing accounts is unknown here; it stays empty until
-- the next sign-in with the account, which sets it.

CREATE TABLE accounts_2 (
  provider TEXT NOT NULL,
  issuer TEXT NOT NULL, -- without a trailing slash; empty if the provider has none
  provider_account_id TEXT NOT NULL, -- the provider's id for the user, such as open_id or sub
  -- Checked when the transaction ends: a sign-in claims the account before it writes the user.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  client_id TEXT NOT NULL, -- our client id at the provider; another app may see other ids
  union_id TEXT, -- the user's id across one developer's apps
  label TEXT, -- the user's name at the provider, to tell accounts apart
  verified_email TEXT, -- an address the provider has verified
  scope TEXT, -- what was granted at the last sign-in
  removed_at INTEGER, -- when the user revoked the authorization, unless they have signed in since
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (provider, issuer, provider_account_id)
) STRICT;

INSERT INTO accounts_2
SELECT
  provider,
  CASE provider
    WHEN 'tiktok' THEN 'https://www.tiktok.com'
    WHEN 'apple' THEN 'https://appleid.apple.com'
    WHEN 'github' THEN 'https://github.com/login/oauth'
    WHEN 'google' THEN 'https://accounts.google.com'
    WHEN 'kakao' THEN 'https://kauth.kakao.com'
    WHEN 'line' THEN 'https://access.line.me'
    WHEN 'linkedin' THEN 'https://www.linkedin.com/oauth'
    WHEN 'slack' THEN 'https://slack.com'
    WHEN 'twitch' THEN 'https://id.twitch.tv/oauth2'
    WHEN 'yahoo' THEN 'https://api.login.yahoo.com'
    ELSE ''
  END,
  provider_account_id, user_id, client_id, union_id, label, verified_email, scope, removed_at, created_at, updated_at
FROM accounts
ORDER BY rowid;

DROP TABLE accounts;
ALTER TABLE accounts_2 RENAME TO accounts;

CREATE INDEX accounts_by_user ON accounts (user_id);
CREATE INDEX accounts_by_union ON accounts (provider, issuer, union_id) WHERE union_id IS NOT NULL;
CREATE INDEX accounts_by_email ON accounts (verified_email) WHERE verified_email IS NOT NULL;
