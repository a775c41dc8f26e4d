import { options } from '../../../src/deployment.ts'
import { totp } from '../../../src/features.ts'
import { Credentials, Passkey } from '../../../src/providers.ts'
import { createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'

/** The service authenticates the user, so that what they add counts at once. */
const byName = Credentials({
  name: 'Name',
  credentials: { name: {} },
  authorize: ({ name }) => ({ id: String(name), name: String(name) }),
})

/** Administrators and editors need a second factor; others decide for themselves. */
export const optionalOptions: VestibuleOptions = {
  ...options,
  providers: [...options.providers, Passkey(), byName],
  features: [
    ...(options.features ?? []),
    totp({ requiredFor: { administrators: true, roles: ['editor'] } }),
  ],
}

export const optional = createVestibule(optionalOptions)

/** Everyone needs one. */
export const demanding = createVestibule({
  ...optionalOptions,
  features: [...(options.features ?? []), totp({ requiredFor: 'everyone' })],
})

/** Nobody does. */
export const voluntary = createVestibule({
  ...optionalOptions,
  features: [...(options.features ?? []), totp()],
})
