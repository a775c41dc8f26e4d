import { describe, expect, expectTypeOf, it } from 'vitest'
import type { EmailConfig, EmailUserConfig } from '../../src/provider-interface/local-types.ts'
import { Credentials, Email, Passkey, TikTok } from '../../src/providers.ts'
import { createVestibule } from '../../src/vestibule.ts'

describe('a provider whose users sign in on pages of this service', () => {
  it.each([
    {
      name: 'email',
      create: (options: object) => Email({ sendVerificationRequest() {}, ...options }),
    },
    { name: 'passkey', create: (options: object) => Passkey(options) },
    {
      name: 'credentials',
      create: (options: object) =>
        Credentials({ credentials: { pin: {} }, authorize: () => null, ...options }),
    },
  ])('rejects an option of $name that does not exist', ({ name, create }) => {
    const start = (options: object) => createVestibule({ providers: [TikTok, create(options)] })

    expect(() => start({ colour: 'red' })).toThrow(
      `providers.${name}.colour does not exist: the names are id, name, type, style, `,
    )
    expect(() => start({})).not.toThrow()
  })

  it('has the types of the interface', () => {
    expectTypeOf(Email).returns.toEqualTypeOf<EmailConfig>()
    expectTypeOf(Email).parameter(0).toEqualTypeOf<EmailUserConfig>()
    Credentials({
      credentials: { username: { label: 'Name' }, password: { type: 'password' } },
      authorize(credentials) {
        expectTypeOf(credentials).toEqualTypeOf<{ username?: unknown; password?: unknown }>()
        return null
      },
    })
  })
})
