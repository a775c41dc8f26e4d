import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../src/errors.ts'
import type { VestibuleOptions } from '../src/options.ts'
import { Google, Oidc, TikTok } from '../src/providers/index.ts'
import { createVestibule } from '../src/vestibule.ts'
import { configReaderWith } from './deployment.ts'

/** The problems that are reported for these options. */
function findProblems(options: object): readonly string[] {
  try {
    createVestibule(options as VestibuleOptions)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems
  }
}

describe('createVestibule', () => {
  it('accepts several providers of one kind with different ids', () => {
    const providers = [Oidc({ id: 'staff' }), Oidc({ id: 'partners' }), Oidc]

    expect(findProblems({ providers })).toEqual([])
  })

  it.each([
    [
      'a provider that is listed twice',
      { providers: [TikTok, Google, TikTok()] },
      'Two providers have the id tiktok, or ids whose settings have the same names.',
    ],
    [
      'two ids whose settings have the same names',
      { providers: [Oidc({ id: 'acme.eu' }), Oidc({ id: 'acme-eu' })] },
      'Two providers have the id acme-eu, or ids whose settings have the same names.',
    ],
    [
      'an option that does not exist',
      { providers: [TikTok], provider: [Google] },
      'provider is not an option of createVestibule.',
    ],
  ])('rejects %s with one sentence', (_, options, problem) => {
    expect(findProblems(options)).toEqual([problem])
  })

  it('checks a provider that is enabled by its settings when it is enabled', () => {
    const google = Google({ codeChallengeEncoding: 'HEX' as 'hex' })
    const vestibule = { providers: [TikTok, google], skipUnconfiguredProviders: true }
    const readConfig = configReaderWith(vestibule)
    const credentials = { AUTH_GOOGLE_ID: 'id', AUTH_GOOGLE_SECRET: 'secret' }

    expect(findProblems(vestibule)).toEqual([])
    expect(readConfig(env).providers).toMatchObject([{ id: 'tiktok' }])
    expect(() => readConfig({ ...env, ...credentials })).toThrow(/codeChallengeEncoding/)
  })

  it('reports all problems at once', () => {
    expect(findProblems({ providers: [TikTok, TikTok], callback: {}, plugins: [] })).toHaveLength(3)
  })
})
