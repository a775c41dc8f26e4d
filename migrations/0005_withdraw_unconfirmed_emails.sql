-- Earlier versions gave users without an email address that of an account that was added without proof. It counts
-- only once the account is confirmed, which adds it again.

UPDATE users SET email = (
  SELECT verified_email FROM accounts
  WHERE user_id = users.id AND unconfirmed_sid IS NULL AND verified_email IS NOT NULL
  ORDER BY created_at LIMIT 1)
WHERE id IN (SELECT user_id FROM accounts WHERE unconfirmed_sid IS NOT NULL AND verified_email IS NOT NULL)
  AND EXISTS (SELECT 1 FROM accounts WHERE user_id = users.id AND unconfirmed_sid IS NOT NULL AND verified_email = users.email)
  AND EXISTS (SELECT 1 FROM accounts WHERE user_id = users.id AND unconfirmed_sid IS NULL)
  AND NOT EXISTS (SELECT 1 FROM accounts WHERE user_id = users.id AND unconfirmed_sid IS NULL AND verified_email = users.email);

UPDATE schema_version SET version = 5;
