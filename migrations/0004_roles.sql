-- The roles of users in the operator's apps, which the feature roles() gives them.

-- A copy of what the user's object has, in JSON: {"names": ["editor"], "version": 1}. NULL if the user never had any.
ALTER TABLE users ADD COLUMN roles TEXT;

CREATE INDEX users_with_roles ON users (id) WHERE roles IS NOT NULL;

UPDATE schema_version SET version = 4;
