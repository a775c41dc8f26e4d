/** The version of the package. A test compares it with package.json. */
export const VERSION = '0.2.0'
