import { defineUserButton } from './user-button.ts'

/** The module that the login service serves as `/client.js`, for pages without a build. */
export { createClient } from './client.ts'
export { dpop } from './dpop.ts'
export { UnavailableError } from './session.ts'

defineUserButton()
