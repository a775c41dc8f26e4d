import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { readRole } from '../../../src/features/admin/users/administrators.ts'
import { importUsers } from '../../../src/features/admin/users/import-users.ts'
import { Passkey, TikTok } from '../../../src/providers.ts'
import { createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'
import { Browser, serviceOf, WITHOUT_TIKTOK } from '../../browser.ts'
import { configReaderWith } from '../../deployment.ts'
import { createPasskeyUser } from './passkey-user.ts'

const providers = [...options.providers, Passkey()]

describe('Passkey()', () => {
  it('is accepted as a function and with options', () => {
    for (const passkey of [
      Passkey,
      Passkey(),
      Passkey({ name: 'Key', enableConditionalUI: false }),
    ]) {
      expect(() => createVestibule({ providers: [TikTok, passkey] })).not.toThrow()
    }
  })

  it('is rejected as the only provider', async () => {
    const settings = { ...WITHOUT_TIKTOK, AUTH_URL: 'http://localhost:8787', CLIENTS: [] }
    const service = serviceOf(createVestibule({ providers: [Passkey()] }), settings)
    const browser = new Browser(service, settings.AUTH_URL)

    const response = await browser.get('/healthz', { Accept: 'application/json' })

    expect(await response.json()).toMatchObject({
      problems: [expect.stringContaining('providers has only Passkey()')],
    })
  })

  it('is rejected among the features', () => {
    const misplaced = { providers: [TikTok], features: [Passkey()] } as unknown as VestibuleOptions

    expect(() => createVestibule(misplaced)).toThrow(
      'features.passkey is a provider: move it to providers.',
    )
  })

  it('has its name on the button', async () => {
    const page = async (name: object) => {
      const vestibule = createVestibule({ providers: [...options.providers, Passkey(name)] })
      return (await new Browser(serviceOf(vestibule)).get('/api/auth/signin')).text()
    }

    expect(await page({ name: 'Acme Key' })).toContain('Sign in with Acme Key')
    expect(await page({})).toContain('Sign in with a passkey')
  })

  it('always has the same id and type', () => {
    expect(Passkey({ id: 'other', type: 'oauth' } as never)).toMatchObject({
      id: 'passkey',
      type: 'webauthn',
    })
  })

  it.each([
    [[TikTok, Passkey({ name: '' })], 'providers.passkey.name is empty.'],
    [
      [TikTok, Passkey({ enableConditionalUI: 'no' as never })],
      'providers.passkey.enableConditionalUI must be true or false.',
    ],
    [
      [TikTok, Passkey({ rpId: 'https://login.example' })],
      'providers.passkey.rpId must be a host name',
    ],
    [[TikTok, Passkey({ rpId: '192.0.2.1' })], 'providers.passkey.rpId must be a host name'],
    [[TikTok, Passkey(), Passkey()], 'passkey'],
  ])('reports a problem when the service starts: %#', (invalid, problem) => {
    expect(() => createVestibule({ providers: invalid })).toThrow(problem)
  })
})

describe('a passkey', () => {
  it('does not make its user an administrator, because its id is chosen by a device', async () => {
    const { userId, authenticator } = await createPasskeyUser()
    const AUTH_ADMINS = `passkey:${authenticator.credentialId}`
    const config = configReaderWith({ providers })({ ...env, AUTH_ADMINS } as Env)

    expect(await readRole(env, config, userId)).toBeUndefined()
  })

  it('cannot be imported', async () => {
    const config = configReaderWith({ providers })(env)
    const lines = [{ provider: 'passkey', provider_account_id: 'AAAA', name: 'Mia' }]

    const result = await importUsers(env, config, { lines, origin: { actor: 'service' } })

    expect(result).toMatchObject({
      imported: 0,
      existing: 0,
      problems: [{ line: 1, problem: 'Passkeys cannot be imported.' }],
    })
  })
})
