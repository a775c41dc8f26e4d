-- Accounts that were added without proof and that the user has not confirmed since.

-- The session (ses_…) in which the account was added; empty if its email address has linked it. NULL once it is confirmed.
ALTER TABLE accounts ADD COLUMN unconfirmed_sid TEXT;

UPDATE schema_version SET version = 2;
