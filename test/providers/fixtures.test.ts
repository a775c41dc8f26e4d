import { describe, expect, it } from 'vitest'
import { type AnyProvider, settingName } from '../../src/core/config/providers.ts'
import { authorizationUrl } from '../../src/core/upstream/authorization-url.ts'
import { identifyUser } from '../../src/core/upstream/identify-user.ts'
import { resolveProvider } from '../../src/core/upstream/resolved-provider.ts'
import { parseUser } from '../../src/core/upstream/user-schema.ts'
import { parseColor, readableTextColor } from '../../src/foundation/values/css-color.ts'
import type { User } from '../../src/provider-interface/oauth-types.ts'
import type { Provider } from '../../src/provider-interface/types.ts'
import * as catalogue from '../../src/providers/index.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf, WITHOUT_TIKTOK } from '../browser.ts'
import { attempt, CODE_CHALLENGE } from './attempt.ts'
import { FIXTURES } from './fixtures/all.ts'
import { CODE, CREDENTIALS, FAILING_CODE, type Fixture } from './fixtures/fixture.ts'

/** Every provider of the catalogue, by its id. */
const PROVIDERS = new Map(
  Object.values(catalogue).map((create) => [
    create().id,
    create as (options: object) => AnyProvider,
  ]),
)

function configured(id: string, { options }: Fixture): AnyProvider {
  const create = PROVIDERS.get(id)
  if (!create) throw new Error(`The catalogue has no provider ${id}.`)
  return create({ ...CREDENTIALS, ...options })
}

/** The exchange of the code in a callback. */
function exchange(provider: AnyProvider, fixture: Fixture, code: string) {
  const callback = { code, state: attempt.state, ...(fixture.type === 'oauth' && fixture.callback) }
  return identifyUser(resolveProvider(provider, LOGIN), attempt, new URLSearchParams(callback))
}

/** The server of the fixtures has the endpoints of OpenID Connect below the issuer. */
function authorizationEndpoint(fixture: Fixture): string {
  if (fixture.type === 'oauth') return fixture.authorization
  return `${fixture.issuer.replace(/\/$/, '')}/authorize`
}

/** A missing property and one that is undefined mean the same; so do unverified and unknown. */
function withoutAbsent(user: User): Partial<User> {
  const entries = Object.entries({ ...user, emailVerified: user.emailVerified || undefined })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null))
}

describe.each(Object.entries(FIXTURES))('the provider %s', (id, fixture) => {
  const config = configured(id, fixture)
  const provider = resolveProvider(config, LOGIN)

  it('gets an authorization request with the parameters it supports only', async () => {
    const url = new URL(await authorizationUrl(provider, attempt))

    expect(url.origin + url.pathname).toBe(authorizationEndpoint(fixture))
    expect(Object.fromEntries(url.searchParams)).toEqual({
      [provider.clientIdParameter]: CREDENTIALS.clientId,
      response_type: 'code',
      redirect_uri: `${LOGIN}/api/auth/callback/${id}`,
      state: attempt.state,
      ...(fixture.usesPkce && {
        code_challenge: CODE_CHALLENGE,
        code_challenge_method: 'S256',
      }),
      ...(fixture.type === 'oidc' && fixture.sendsNonce && { nonce: attempt.nonce }),
      ...fixture.sends,
    })
    expect(provider.promptParams).toEqual(fixture.prompt ?? {})
  })

  it('identifies the user by its documented responses', async () => {
    const { user } = await exchange(config, fixture, CODE)

    expect(withoutAbsent(user ?? { id: '' })).toEqual(fixture.user)
  })

  it('maps a profile with nothing but an identifier to a user with nothing else', async () => {
    const { profile, ...user } = fixture.minimal

    expect(withoutAbsent(parseUser(await provider.profile(profile, {}), provider))).toEqual(user)
  })

  it('[S1] does not identify a user by an empty profile', async () => {
    const identify = async () => parseUser(await provider.profile({}, {}), provider)

    await expect(identify()).rejects.toThrow()
  })
})

describe('a token response with an error', () => {
  const failing = Object.entries(FIXTURES).flatMap(([id, fixture]) =>
    fixture.type === 'oauth' && fixture.error ? [[id, fixture] as const] : [],
  )

  it.each(failing)(
    'of %s is recognized, although it is not of the standard',
    async (id, fixture) => {
      const exchanged = exchange(configured(id, fixture), fixture, FAILING_CODE)

      await expect(exchanged).rejects.toMatchObject({ code: 'code_expired' })
    },
  )
})

describe('the catalogue', () => {
  const ids = Array.from(PROVIDERS.keys())

  it('has a fixture for every provider, except those that are tested with running servers', () => {
    expect(Object.keys(FIXTURES).toSorted()).toEqual(
      ids.filter((id) => id !== 'tiktok' && id !== 'oidc').toSorted(),
    )
    expect(ids.length).toBe(Object.keys(catalogue).length)
  })

  it.each(ids)('has a name, a colour and a readable logo for %s', (id) => {
    const { name, style } = PROVIDERS.get(id)?.({}) ?? { name: '' }
    const color = style?.brandColor ?? style?.bg ?? '#ffffff'
    const fill = /fill='(black|white)' d=/.exec(style?.logo ?? '')?.[1]
    const text = readableTextColor(parseColor(color) ?? [0, 0, 0])

    expect(name).not.toBe('')
    expect(color).toMatch(/^#[0-9a-f]{6}$/)
    if (style?.logo) expect(style.logo).toMatch(/^data:image\/svg\+xml,%3Csvg [^<>#]+%3C\/svg%3E$/)
    if (fill) expect(fill).toBe(text[0] === 255 ? 'white' : 'black')
  })

  it('has a unique name for each provider, for the texts of buttons', () => {
    const names = ids.map((id) => PROVIDERS.get(id)?.({}).name)

    expect(new Set(names).size).toBe(ids.length)
  })

  it('is enabled by settings alone, all providers in one deployment', async () => {
    const settings = Object.entries(FIXTURES).flatMap(([id, { options }]) => [
      [settingName(id, 'ID'), CREDENTIALS.clientId],
      [settingName(id, 'SECRET'), options?.clientSecret ?? CREDENTIALS.clientSecret],
      ...(options?.issuer ? [[settingName(id, 'ISSUER'), options.issuer]] : []),
    ])
    const deployment = createVestibule({
      providers: Object.values(catalogue) as Provider[],
      skipUnconfiguredProviders: true,
    })
    const service = serviceOf(deployment, { ...WITHOUT_TIKTOK, ...Object.fromEntries(settings) })

    const offered = await new Browser(service).json<object>('/api/auth/providers')

    expect(Object.keys(offered).toSorted()).toEqual(Object.keys(FIXTURES).toSorted())
  })
})
