import { describe, expect, it } from 'vitest'
import type { OAuth2Config } from '../../../src/provider-interface/oauth-types.ts'
import type { Provider } from '../../../src/provider-interface/types.ts'
import { TikTok } from '../../../src/providers/index.ts'
import type { TiktokProfile } from '../../../src/providers/tiktok/tiktok.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, lastLogEntry, serviceOf, standIn, TOKEN_PATH } from '../../browser.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { configReaderWith, declared } from '../../deployment.ts'
import {
  acme,
  browserFor,
  company,
  GIT,
  GIT_ACCOUNT,
  type GitProfile,
  signInAtGit,
  signInAtHostile,
  storedAccount,
  storedTokens,
  TIKTOK_SETTINGS,
} from '../../providers/providers-in-code.ts'
import { clientsWith } from '../../registered-clients.ts'
import { usersWith } from '../../storage.ts'
import { exchangeToken } from './platform-tokens.ts'

describe('the option account', () => {
  it.each([{}, { AUTH_ACME_TOKENS: 'drop' }, { AUTH_ACME_TOKENS: 'keep' }])(
    '[K20] returns what is stored, sealed, with the settings %o',
    async (settings) => {
      const account: OAuth2Config<GitProfile>['account'] = ({ refresh_token = '' }) => ({
        refresh_token,
        tier: 'gold',
      })
      const browser = browserFor({ ...acme, account }, settings)

      const { session } = await signInAtGit(browser, 'acme')

      expect(await storedTokens(session?.user.id, `acme ${GIT_ACCOUNT}`)).toEqual({
        refresh_token: 'git-refresh',
        tier: 'gold',
      })
      const record = await storedAccount(session?.user.id, `acme ${GIT_ACCOUNT}`)
      expect(JSON.stringify(record)).not.toContain('git-refresh')
    },
  )

  it('may be asynchronous', async () => {
    const account = async () => ({ refresh_token: 'r' })
    const browser = browserFor({ ...acme, account: account as never })

    const { session } = await signInAtGit(browser, 'acme')

    expect(await storedTokens(session?.user.id, `acme ${GIT_ACCOUNT}`)).toEqual({
      refresh_token: 'r',
    })
  })

  it('returns nothing if nothing is to be stored', async () => {
    const browser = browserFor({ ...acme, account: () => {} }, { AUTH_ACME_TOKENS: 'keep' })

    const { session } = await signInAtGit(browser, 'acme')

    expect(await storedTokens(session?.user.id, `acme ${GIT_ACCOUNT}`)).toBeUndefined()
  })

  it('is absent by default: tokens are dropped unless AUTH_<ID>_TOKENS is keep', async () => {
    const dropping = await signInAtGit(browserFor({ ...acme, id: 'dropping' }), 'dropping')
    const keeping = await signInAtGit(browserFor(acme, { AUTH_ACME_TOKENS: 'keep' }), 'acme')

    const [dropped, kept] = await Promise.all([
      storedTokens(dropping.session?.user.id, `dropping ${GIT_ACCOUNT}`),
      storedTokens(keeping.session?.user.id, `acme ${GIT_ACCOUNT}`),
    ])
    expect(dropped).toBeUndefined()
    expect(kept).toEqual({
      access_token: 'git-access',
      refresh_token: 'git-refresh',
      token_type: 'bearer',
      scope: 'read_user',
      expires_at: expect.any(Number),
    })
  })

  it('may store the refresh token only: the access token is then refreshed for each client request', async () => {
    const provider: Provider = {
      ...company,
      account: ({ id_token = '' }) => ({ id_token, refresh_token: '["none"]' }),
    }
    const vestibule = createVestibule({
      providers: [provider, TikTok],
      features: declared.features,
    })
    const settings = { CLIENTS: clientsWith({ web: { upstream_tokens: ['company'] } }) }
    const users = usersWith(settings, configReaderWith({ providers: [provider, TikTok] }))
    const changes = { ...settings, ...TIKTOK_SETTINGS, USERS: users }
    const browser = new Browser(serviceOf(vestibule, changes))
    await signInAtHostile(browser, 'company')
    const { access_token } = await new RelyingApp('web').tokens(browser)

    expect(await exchangeToken(browser, access_token, { audience: 'company' })).toMatchObject({
      status: 200,
      access_token: 'at-none',
    })
  })

  it('receives what token.request returns, which sends the parameters of the callback and the checks', async () => {
    const browser = browserFor({
      ...acme,
      token: {
        url: `${GIT}/oauth/token`,
        params: { client_id: 'git-client', client_secret: 'git-secret-7Hk2' },
        async request({ url, params, checks, fetch }) {
          const body = new URLSearchParams({
            ...params,
            grant_type: 'authorization_code',
            redirect_uri: `${LOGIN}/api/auth/callback/acme`,
            code_verifier: checks.code_verifier ?? '',
          })
          const response = await fetch(url, { method: 'POST', body })
          return { tokens: { ...(await response.json<object>()), session_state: 'by-handler' } }
        },
      },
      account: ({ session_state = '' }) => ({ session_state }),
    })

    const { session } = await signInAtGit(browser, 'acme')

    expect(await storedTokens(session?.user.id, `acme ${GIT_ACCOUNT}`)).toEqual({
      session_state: 'by-handler',
    })
  })

  it('must be a function', () => {
    const provider = { ...acme, account: true as never }

    expect(() => createVestibule({ providers: [provider], features: declared.features })).toThrow(
      'providers.acme.account must be a function.',
    )
  })

  it.each<NonNullable<OAuth2Config<GitProfile>['account']>>([
    () => {
      throw new TypeError('no such plan')
    },
    (() => Promise.reject(new TypeError('no such plan'))) as never,
  ])('that throws is a bug of the configuration with its stack in the log', async (account) => {
    expect(await signInAtGit(browserFor({ ...acme, account }), 'acme')).toMatchObject({
      status: 500,
      code: 'provider_misconfigured',
      session: null,
    })
    expect(lastLogEntry('callback_failed')).toMatchObject({
      code: 'provider_misconfigured',
      provider: 'acme',
      hint: 'account failed.',
      cause: expect.stringMatching(/^TypeError: no such plan\n\s+at .*option-account\.test/s),
    })
  })

  it('[K8] keeps tokens of an account with an id of its own, which only tokens of the same account replace', async () => {
    const provider = TikTok<TiktokProfile>({
      profile: ({ data: { user } }) => ({ id: `union ${user.union_id}`, name: user.display_name }),
      // Without an access token, each request of a client refreshes it.
      account: ({ refresh_token = '' }) => ({ refresh_token }),
    })
    const CLIENTS = clientsWith({ web: { upstream_tokens: ['tiktok'] } })
    const USERS = usersWith({ CLIENTS }, configReaderWith({ providers: [provider] }))
    const browser = browserFor(provider, { ...TIKTOK_SETTINGS, CLIENTS, USERS })
    await browser.signIn('noah')
    const { access_token } = await new RelyingApp('web').tokens(browser)

    const refreshed = await exchangeToken(browser, access_token)
    await standIn.fault({ path: TOKEN_PATH, kind: 'open-id-mismatch' })
    const ofAnother = await exchangeToken(browser, access_token)

    expect(refreshed).toMatchObject({ status: 200, access_token: expect.stringMatching(/^act\./) })
    expect(ofAnother).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(lastLogEntry('provider_invalid').hint).toBe(
      'The refreshed tokens belong to another account.',
    )
  })
})
