/** No vowels, so that no words appear, and no letters that look alike (RFC 8628 §6.1). */
export const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'

/** A code without the hyphen. */
export const USER_CODE = new RegExp(`^[${ALPHABET}]{8}$`)
