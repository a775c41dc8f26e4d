/**
 * What users of tests are called: characters of one to four bytes in UTF-8, of both directions, and
 * several that are shown as one. In a token it has the characters of base64url that base64 does not
 * have, more than once.
 */
export const NAME = 'Éva Юлия ليلى 李小龍 👩🏽‍🚀🧑🏿‍🎨'
