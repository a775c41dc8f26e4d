/** Tokens name the roles of a user, and many servers limit headers to 8 KiB. */
const MAX_NAMES = 50

const NAME = /^[A-Za-z][\w.:-]{0,31}$/

/** Throws if the names that a deployment declares cannot be used. */
export function requireNames(names: readonly string[]): void {
  const invalid = names.find((name) => !NAME.test(name))
  if (invalid !== undefined) {
    throw new TypeError(
      `roles() has the name ${JSON.stringify(invalid)}: a name begins with a letter, has letters, digits and _ . : - only, and at most 32 characters.`,
    )
  }
  if (names.length === 0 || names.length > MAX_NAMES) {
    throw new TypeError(`roles() needs from 1 to ${MAX_NAMES} names, and has ${names.length}.`)
  }
  if (new Set(names).size < names.length) throw new TypeError('roles() has a name twice.')
}
