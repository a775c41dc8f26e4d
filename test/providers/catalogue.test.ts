import { exportPKCS8, exportSPKI, generateKeyPair, importSPKI, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import type { AnyProvider } from '../../src/core/config/providers.ts'
import { settingName } from '../../src/core/config/providers.ts'
import { enabledProviders } from '../../src/core/upstream/enabled-providers.ts'
import {
  type ResolvedProvider,
  resolveProvider,
} from '../../src/core/upstream/resolved-provider.ts'
import { options } from '../../src/deployment.ts'
import { Apple } from '../../src/providers/apple.ts'
import { Bitbucket } from '../../src/providers/bitbucket.ts'
import { Cognito } from '../../src/providers/cognito.ts'
import { Discord } from '../../src/providers/discord.ts'
import { Dropbox } from '../../src/providers/dropbox.ts'
import { Eventbrite } from '../../src/providers/eventbrite.ts'
import { Facebook } from '../../src/providers/facebook.ts'
import { GitHub } from '../../src/providers/github.ts'
import { GitLab } from '../../src/providers/gitlab.ts'
import * as allProviders from '../../src/providers/index.ts'
import { Instagram } from '../../src/providers/instagram.ts'
import { Kakao } from '../../src/providers/kakao.ts'
import { LinkedIn } from '../../src/providers/linkedin.ts'
import { Logto } from '../../src/providers/logto.ts'
import { Mailchimp } from '../../src/providers/mailchimp.ts'
import { Mattermost } from '../../src/providers/mattermost.ts'
import { MicrosoftEntraID } from '../../src/providers/microsoft-entra-id.ts'
import { Naver } from '../../src/providers/naver.ts'
import { Patreon } from '../../src/providers/patreon.ts'
import { Spotify } from '../../src/providers/spotify.ts'
import { TikTok } from '../../src/providers/tiktok/tiktok.ts'
import { Twitch } from '../../src/providers/twitch.ts'
import { WeChat } from '../../src/providers/wechat.ts'
import { Wikimedia } from '../../src/providers/wikimedia.ts'
import { Zoom } from '../../src/providers/zoom.ts'
import { readConfig } from '../deployment.ts'

const credentials = { clientId: 'id', clientSecret: 'secret' }
const TENANT = 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0'

type Create = (options: object) => AnyProvider

const resolve = (provider: AnyProvider) => resolveProvider(provider, 'https://login.example')

const EMAIL = 'mia@example.com'

describe('an email address', () => {
  const mapProfile = async (provider: AnyProvider, response: unknown) =>
    resolve(provider).profile(response, {})

  it.each<[string, AnyProvider, object]>([
    ['Apple', Apple(credentials), { sub: '1', email: EMAIL, email_verified: 'false' }],
    [
      'Bitbucket',
      Bitbucket(credentials),
      { account_id: '1', emails: [{ email: EMAIL, is_primary: true, is_confirmed: false }] },
    ],
    ['Cognito', Cognito(credentials), { sub: '1', email: EMAIL, email_verified: 'false' }],
    ['Discord', Discord(credentials), { id: '1', email: EMAIL, verified: false }],
    ['Dropbox', Dropbox(credentials), { account_id: '1', email: EMAIL, email_verified: false }],
    [
      'Eventbrite',
      Eventbrite(credentials),
      { id: '1', emails: [{ email: EMAIL, primary: true, verified: false }] },
    ],
    ['Facebook', Facebook(credentials), { id: '1', email: EMAIL, verified: true }],
    ['GitHub', GitHub(credentials), { id: 1, email: EMAIL, emails: [] }],
    [
      'GitHub, unconfirmed',
      GitHub(credentials),
      { id: 1, email: EMAIL, emails: [{ email: 'x@y.example', primary: true, verified: false }] },
    ],
    ['GitLab', GitLab(credentials), { id: 1, email: EMAIL, confirmed_at: null }],
    [
      'a self-hosted GitLab',
      GitLab({ ...credentials, issuer: 'https://git.example/' }),
      { id: 1, email: EMAIL, confirmed_at: '2012-05-23T09:05:22Z' },
    ],
    [
      'Kakao, if another account uses it now',
      Kakao(credentials),
      {
        id: 1,
        kakao_account: { email: EMAIL, is_email_valid: false, is_email_verified: true },
      },
    ],
    ['Logto', Logto(credentials), { sub: '1', email: EMAIL, email_verified: false }],
    [
      'Mattermost, whatever it reports',
      Mattermost(credentials),
      { id: '1', email: EMAIL, email_verified: true },
    ],
    ['Naver', Naver(credentials), { response: { id: '1', email: EMAIL } }],
    [
      'Patreon',
      Patreon(credentials),
      { data: { id: '1', attributes: { email: EMAIL, is_email_verified: false } } },
    ],
    ['Spotify', Spotify(credentials), { id: '1', email: EMAIL }],
    ['Wikimedia', Wikimedia(credentials), { sub: 1, email: EMAIL, confirmed_email: false }],
    ['Zoom', Zoom(credentials), { id: '1', email: EMAIL, verified: 0 }],
    [
      'Entra ID, whatever it claims',
      MicrosoftEntraID({ ...credentials, issuer: TENANT }),
      { sub: '1', email: EMAIL, email_verified: true, xms_edov: true },
    ],
  ])('that %s has not verified is not verified', async (_name, provider, response) => {
    const { email, emailVerified } = await mapProfile(provider, response)

    expect(email).toBe(EMAIL)
    expect(emailVerified).not.toBe(true)
  })

  it('of Entra ID may be the preferred username, if that is an email address', async () => {
    const entra = MicrosoftEntraID({ ...credentials, issuer: TENANT })

    expect(await mapProfile(entra, { sub: '1', preferred_username: EMAIL })).toMatchObject({
      email: EMAIL,
    })
    expect(await mapProfile(entra, { sub: '1', preferred_username: '+49 30 1234' })).toMatchObject({
      email: undefined,
      username: '+49 30 1234',
    })
  })
})

/** The client_secret in a token request to this provider. */
async function sentSecret({
  client,
  clientAuth,
  clientSecrets,
}: ResolvedProvider): Promise<string> {
  const body = new URLSearchParams()
  await clientAuth?.(clientSecrets[0] ?? '')({ issuer: '' }, client, body, new Headers())
  return body.get('client_secret') ?? ''
}

describe('the client secret of Apple', () => {
  it('is a JWT signed with the key of the team, for this client and five minutes', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const key = (await exportPKCS8(privateKey)).replaceAll(/-----.*-----|\s/g, '')
    const apple = resolve(
      Apple({ clientId: 'com.example.web', clientSecret: `TEAM123456.KEY1234567.${key}` }),
    )

    const { payload, protectedHeader } = await jwtVerify(
      await sentSecret(apple),
      await importSPKI(await exportSPKI(publicKey), 'ES256'),
      { issuer: 'TEAM123456', subject: 'com.example.web', audience: 'https://appleid.apple.com' },
    )

    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300)
  })

  it('is sent unchanged if it already is a JWT', async () => {
    const clientSecret = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2lnbmF0dXJl'
    const apple = resolve(Apple({ ...credentials, clientSecret }))

    expect(await sentSecret(apple)).toBe(clientSecret)
  })
})

describe('the userinfo request of', () => {
  it('GitHub reads the profile and the email addresses, with a User-Agent', async () => {
    const { profile, requests } = await requestProfile(resolve(GitHub(credentials)), {
      'https://api.github.com/user': Response.json({ id: 583231, login: 'mia' }),
      'https://api.github.com/user/emails': Response.json([
        { email: EMAIL, primary: true, verified: true },
      ]),
    })

    expect(profile).toEqual({
      id: 583231,
      login: 'mia',
      emails: [{ email: EMAIL, primary: true, verified: true }],
    })
    for (const { method, headers } of requests) {
      expect(method).toBe('GET')
      expect(headers.get('Authorization')).toBe('Bearer the-token')
      expect(headers.get('User-Agent')).toBe('vestibule')
    }
  })

  it('GitHub succeeds without access to the email addresses', async () => {
    const { profile } = await requestProfile(resolve(GitHub(credentials)), {
      'https://api.github.com/user': Response.json({ id: 583231 }),
      'https://api.github.com/user/emails': new Response('{}', { status: 403 }),
    })

    expect(profile).toEqual({ id: 583231, emails: [] })
  })

  it('Dropbox is a POST with the body null', async () => {
    const url = 'https://api.dropboxapi.com/2/users/get_current_account'

    const { profile, requests } = await requestProfile(resolve(Dropbox(credentials)), {
      [url]: Response.json({ account_id: 'dbid:A' }),
    })

    expect(profile).toEqual({ account_id: 'dbid:A' })
    const [request] = requests
    expect(request?.method).toBe('POST')
    expect(request?.headers.get('Authorization')).toBe('Bearer the-token')
    expect(request?.headers.get('Content-Type')).toBe('application/json')
    expect(await request?.text()).toBe('null')
  })

  it.each([
    ['GitHub', GitHub(credentials)],
    ['Dropbox', Dropbox(credentials)],
  ])('%s fails with the response as cause, for the log', async (_name, provider) => {
    const rejected = requestProfile(resolve(provider), {})

    await expect(rejected).rejects.toMatchObject({ cause: { status: 404 } })
  })
})

describe('userinfo.params', () => {
  const own = Object.values(allProviders)
    .map((create) => resolve((create as Create)({ ...credentials, issuer: 'https://own.example' })))
    .filter(({ userinfo }) => userinfo.request && userinfo.url)

  it.each(own.map((provider) => [provider.id, provider] as const))(
    'are sent by %s, which has a request of its own',
    async (_id, { userinfo }) => {
      const params = { ...userinfo.params, extra: 'yes' }
      const respond = () =>
        Response.json({ data: { user: { open_id: '1' } }, openid: '1', values: [] })

      const { requests } = await requestProfile({ userinfo: { ...userinfo, params } }, {}, respond)

      expect(new URL(requests[0]?.url ?? '').searchParams.get('extra')).toBe('yes')
    },
  )
})

describe('a profile of another account than that of the tokens', () => {
  it.each([
    ['TikTok', TikTok, { data: { user: { open_id: '2' } } }],
    ['WeChat', WeChat, { openid: '2' }],
  ])('[K8] is rejected by %s, whatever id it is mapped to', async (_name, create, profile) => {
    const { userinfo } = resolve(create({ ...credentials, profile: () => ({ id: '1' }) }))

    await expect(
      requestProfile({ userinfo }, {}, () => Response.json(profile)),
    ).rejects.toMatchObject({ code: 'provider_invalid' })
  })
})

describe('a refresh request', () => {
  it('of WeChat is sent to an endpoint of its own, as a query', async () => {
    const sent: string[] = []
    const { customFetch, token } = resolve(WeChat(credentials))
    const send = customFetch?.(async (url) => {
      sent.push(url)
      return Response.json({})
    })

    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'r' })
    await send?.(token.url ?? '', { method: 'POST', body })

    expect(sent).toEqual([
      'https://api.weixin.qq.com/sns/oauth2/refresh_token?grant_type=refresh_token&refresh_token=r',
    ])
  })
})

describe('a token response', () => {
  const normalizeResponse = async (provider: AnyProvider, body: unknown, status = 200) => {
    const response = Response.json(body, { status })
    return (await resolve(provider).token.normalizeResponse?.(response)) ?? response
  }

  it.each([
    ['LinkedIn', LinkedIn(credentials), { access_token: 'a' }],
    ['Instagram', Instagram(credentials), { access_token: 'a' }],
    ['Instagram, in a list', Instagram(credentials), { data: [{ access_token: 'a' }] }],
  ])('of %s gets the token type it lacks (RFC 6749 §5.1)', async (_name, provider, body) => {
    expect(await (await normalizeResponse(provider, body)).json()).toEqual({
      access_token: 'a',
      token_type: 'bearer',
    })
  })

  it('of WeChat that reports a busy system is an error that can be gone later', async () => {
    const response = await normalizeResponse(WeChat(credentials), { errcode: -1, errmsg: 'busy' })

    expect(response.status).toBe(503)
  })

  it('of Mailchimp has no values that are null', async () => {
    const response = await normalizeResponse(Mailchimp(credentials), {
      access_token: 'a',
      expires_in: 0,
      scope: null,
    })

    expect(await response.json()).toEqual({
      access_token: 'a',
      token_type: 'bearer',
      expires_in: 0,
    })
  })

  it('of Twitch gets its list of scopes joined', async () => {
    const response = await normalizeResponse(Twitch(credentials), {
      access_token: 'a',
      scope: ['openid', 'user:read:email'],
    })

    expect(await response.json()).toEqual({ access_token: 'a', scope: 'openid user:read:email' })
  })

  it.each([
    ['LinkedIn', LinkedIn(credentials)],
    ['Instagram', Instagram(credentials)],
    ['Twitch', Twitch(credentials)],
    ['Kakao', Kakao(credentials)],
  ])('of %s with an error is not changed', async (_name, provider) => {
    const response = await normalizeResponse(provider, { error: 'invalid_grant' }, 400)

    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'invalid_grant' })
  })
})

describe('the catalogue', () => {
  const ids = options.providers.map((provider) =>
    typeof provider === 'function' ? provider().id : provider.id,
  )
  const config = readConfig({
    AUTH_URL: 'https://login.example',
    AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
    AUTH_OIDC_ISSUER: 'https://idp.example',
    AUTH_MICROSOFT_ENTRA_ID_ISSUER: 'https://idp.example',
    ...Object.fromEntries(
      ids.flatMap((id) => [
        [settingName(id, 'ID'), credentials.clientId],
        [settingName(id, 'SECRET'), credentials.clientSecret],
      ]),
    ),
  })

  it('contains every provider under its own id', () => {
    expect(enabledProviders(config).map(({ id }) => id)).toEqual(ids)
    expect(new Set(ids).size).toBe(22)
  })

  it('has a unique name, a colour and a logo for each provider', () => {
    const providers = enabledProviders(config)

    expect(new Set(providers.map(({ name }) => name)).size).toBe(providers.length)
    for (const { id, style } of providers.filter((provider) => provider.id !== 'oidc')) {
      expect(style.brandColor ?? style.bg, id).toMatch(/^#[0-9a-f]{6}$/)
      expect(style.logo, id).toMatch(/^data:image\/svg\+xml,%3Csvg [^<>#]+%3C\/svg%3E$/)
    }
  })

  it('uses the configured scope instead of the default, and keeps the other parameters', () => {
    const twitch = resolve(
      Twitch({ ...credentials, authorization: { params: { scope: 'openid' } } }),
    )

    expect(twitch.authorization.params).toMatchObject({
      scope: 'openid',
      claims: expect.any(String),
    })
  })

  it('supports a self-hosted GitLab, also below a path', () => {
    const gitlab = resolve(GitLab({ ...credentials, issuer: 'https://example.org/git/' }))

    expect(gitlab).toMatchObject({
      authorization: { url: 'https://example.org/git/oauth/authorize' },
      token: { url: 'https://example.org/git/oauth/token' },
      userinfo: { url: 'https://example.org/git/api/v4/user' },
    })
  })
})

/** Sends the userinfo request to a provider with these responses, and records the requests. */
async function requestProfile(
  { userinfo }: Pick<ResolvedProvider, 'userinfo'>,
  responses: Record<string, Response>,
  otherResponse = () => new Response(null, { status: 404 }),
) {
  const requests: Request[] = []
  const profile = await userinfo.request?.({
    url: userinfo.url ?? '',
    params: userinfo.params ?? {},
    tokens: { access_token: 'the-token', scope: 'user.info.basic', open_id: '1', openid: '1' },
    clientId: 'id',
    provider: { id: '', clientId: 'id', clientSecret: '', signinUrl: '', callbackUrl: '' },
    fetch: async (url, init) => {
      requests.push(new Request(url, init))
      return responses[url] ?? otherResponse()
    },
  })
  return { profile, requests }
}
