-- Why users were blocked, and an index of those who are.

ALTER TABLE users ADD COLUMN block_reason TEXT; -- that an administrator has entered; deleted with the user

-- Administrators list blocked users. Other users have no row in it, so sign-ins are not more expensive.
CREATE INDEX blocked_users ON users (blocked_at) WHERE blocked_at IS NOT NULL;

UPDATE schema_version SET version = 3;
