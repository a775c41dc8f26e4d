/** The page on which a passkey is created. */
export const CREATE_PASSKEY_PATH = '/account/passkeys/new'

/** The page on which a passkey is renamed. */
export const RENAME_PASSKEY_PATH = '/account/passkeys/name'
