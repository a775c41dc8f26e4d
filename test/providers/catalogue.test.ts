import { exportPKCS8, exportSPKI, generateKeyPair, importSPKI, jwtVerify, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import type { AnyProvider } from '../../src/config/providers.ts'
import { settingName } from '../../src/config/providers.ts'
import { options } from '../../src/deployment.ts'
import { Apple } from '../../src/providers/apple.ts'
import { Discord } from '../../src/providers/discord.ts'
import { Dropbox } from '../../src/providers/dropbox.ts'
import { Facebook } from '../../src/providers/facebook.ts'
import { GitHub } from '../../src/providers/github.ts'
import { GitLab } from '../../src/providers/gitlab.ts'
import { Instagram } from '../../src/providers/instagram.ts'
import { Kakao } from '../../src/providers/kakao.ts'
import { Line } from '../../src/providers/line.ts'
import { LinkedIn } from '../../src/providers/linkedin.ts'
import { MicrosoftEntraId } from '../../src/providers/microsoft-entra-id.ts'
import { Naver } from '../../src/providers/naver.ts'
import type { TokenSet, User } from '../../src/providers/oauth-types.ts'
import { Reddit } from '../../src/providers/reddit.ts'
import { Slack } from '../../src/providers/slack.ts'
import { Spotify } from '../../src/providers/spotify.ts'
import { Twitch } from '../../src/providers/twitch.ts'
import { Twitter } from '../../src/providers/twitter.ts'
import { Yahoo } from '../../src/providers/yahoo.ts'
import { Zoom } from '../../src/providers/zoom.ts'
import { authorizationUrl } from '../../src/upstream/authorization-url.ts'
import { enabledProviders } from '../../src/upstream/enabled-providers.ts'
import { type ResolvedProvider, resolveProvider } from '../../src/upstream/resolved-provider.ts'
import { readConfig } from '../deployment.ts'
import { attempt, CODE_CHALLENGE } from './attempt.ts'

const credentials = { clientId: 'id', clientSecret: 'secret' }
const TENANT = 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0'

const resolve = (provider: AnyProvider) => resolveProvider(provider, 'https://login.example')

const PKCE = { code_challenge: CODE_CHALLENGE, code_challenge_method: 'S256' }

const BASIC = 'client_secret_basic'

interface OAuth2Expectation {
  provider: AnyProvider
  authorization: string
  token: string
  userinfo: string
  /** The parameters of the authorization request besides those that every provider gets. */
  sends: Record<string, string>
  promptParams: Record<string, string>
  authMethod?: string
}

const OAUTH2_PROVIDERS: Record<string, OAuth2Expectation> = {
  discord: {
    provider: Discord(credentials),
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/v10/users/@me',
    sends: { scope: 'identify email', ...PKCE },
    promptParams: { prompt: 'consent' },
  },
  dropbox: {
    provider: Dropbox(credentials),
    authorization: 'https://www.dropbox.com/oauth2/authorize',
    token: 'https://api.dropboxapi.com/oauth2/token',
    userinfo: 'https://api.dropboxapi.com/2/users/get_current_account',
    sends: { scope: 'account_info.read', ...PKCE },
    promptParams: { force_reauthentication: 'true' },
  },
  facebook: {
    provider: Facebook(credentials),
    authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    userinfo: 'https://graph.facebook.com/v23.0/me',
    sends: { scope: 'public_profile,email' },
    promptParams: { auth_type: 'reauthenticate' },
  },
  github: {
    provider: GitHub(credentials),
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    sends: { scope: 'read:user user:email', ...PKCE },
    promptParams: { prompt: 'select_account' },
  },
  gitlab: {
    provider: GitLab(credentials),
    authorization: 'https://gitlab.com/oauth/authorize',
    token: 'https://gitlab.com/oauth/token',
    userinfo: 'https://gitlab.com/api/v4/user',
    sends: { scope: 'read_user', ...PKCE },
    promptParams: {},
  },
  instagram: {
    provider: Instagram(credentials),
    authorization: 'https://www.instagram.com/oauth/authorize',
    token: 'https://api.instagram.com/oauth/access_token',
    userinfo: 'https://graph.instagram.com/v23.0/me',
    sends: { scope: 'instagram_business_basic' },
    promptParams: { force_reauth: 'true' },
  },
  kakao: {
    provider: Kakao(credentials),
    authorization: 'https://kauth.kakao.com/oauth/authorize',
    token: 'https://kauth.kakao.com/oauth/token',
    userinfo: 'https://kapi.kakao.com/v2/user/me',
    sends: {},
    promptParams: { prompt: 'select_account' },
  },
  line: {
    provider: Line(credentials),
    authorization: 'https://access.line.me/oauth2/v2.1/authorize',
    token: 'https://api.line.me/oauth2/v2.1/token',
    userinfo: 'https://api.line.me/oauth2/v2.1/userinfo',
    sends: { scope: 'openid profile', ...PKCE },
    promptParams: { disable_auto_login: 'true' },
  },
  naver: {
    provider: Naver(credentials),
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    userinfo: 'https://openapi.naver.com/v1/nid/me',
    sends: {},
    promptParams: { auth_type: 'reauthenticate' },
  },
  reddit: {
    provider: Reddit(credentials),
    authorization: 'https://www.reddit.com/api/v1/authorize',
    token: 'https://www.reddit.com/api/v1/access_token',
    userinfo: 'https://oauth.reddit.com/api/v1/me',
    sends: { scope: 'identity' },
    promptParams: {},
    authMethod: BASIC,
  },
  spotify: {
    provider: Spotify(credentials),
    authorization: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    sends: { scope: 'user-read-email', ...PKCE },
    promptParams: { show_dialog: 'true' },
    authMethod: BASIC,
  },
  twitter: {
    provider: Twitter(credentials),
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    userinfo: 'https://api.x.com/2/users/me',
    sends: { scope: 'users.read tweet.read', ...PKCE },
    promptParams: {},
    authMethod: BASIC,
  },
  zoom: {
    provider: Zoom(credentials),
    authorization: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    userinfo: 'https://api.zoom.us/v2/users/me',
    sends: PKCE,
    promptParams: {},
    authMethod: BASIC,
  },
}

describe.each(Object.entries(OAUTH2_PROVIDERS))('the OAuth 2 provider %s', (id, expected) => {
  const provider = resolve(expected.provider)

  it('gets an authorization request with the parameters it supports only', async () => {
    const url = new URL(await authorizationUrl(provider, attempt))

    expect(url.origin + url.pathname).toBe(expected.authorization)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'id',
      response_type: 'code',
      redirect_uri: `https://login.example/api/auth/callback/${id}`,
      state: 'the-state',
      ...expected.sends,
    })
  })

  it('has its endpoints, prompt parameters and authentication method, and no discovery', () => {
    expect(provider).toMatchObject({
      type: 'oauth',
      wellKnown: undefined,
      token: { url: expected.token },
      userinfo: { url: expected.userinfo },
    })
    expect(provider.promptParams).toEqual(expected.promptParams)
    expect(provider.client['token_endpoint_auth_method']).toBe(expected.authMethod)
  })
})

interface OidcExpectation {
  provider: AnyProvider
  issuer: string
  params: Record<string, string>
  usesPkce: boolean
  sendsNonce: boolean
  promptParams: Record<string, string>
}

const STANDARD_SCOPE = { scope: 'openid profile email' }

const OIDC_PROVIDERS: Record<string, OidcExpectation> = {
  apple: {
    provider: Apple(credentials),
    issuer: 'https://appleid.apple.com',
    params: { scope: 'openid name email', response_mode: 'form_post' },
    usesPkce: false,
    sendsNonce: true,
    promptParams: {},
  },
  linkedin: {
    provider: LinkedIn(credentials),
    issuer: 'https://www.linkedin.com/oauth',
    params: STANDARD_SCOPE,
    usesPkce: false,
    sendsNonce: false,
    promptParams: {},
  },
  'microsoft-entra-id': {
    provider: MicrosoftEntraId({ ...credentials, issuer: TENANT }),
    issuer: TENANT,
    params: STANDARD_SCOPE,
    usesPkce: true,
    sendsNonce: true,
    promptParams: { prompt: 'select_account' },
  },
  slack: {
    provider: Slack(credentials),
    issuer: 'https://slack.com',
    params: STANDARD_SCOPE,
    usesPkce: false,
    sendsNonce: true,
    promptParams: {},
  },
  twitch: {
    provider: Twitch(credentials),
    issuer: 'https://id.twitch.tv/oauth2',
    params: {
      scope: 'openid user:read:email',
      claims:
        '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
    usesPkce: false,
    sendsNonce: true,
    promptParams: { force_verify: 'true' },
  },
  yahoo: {
    provider: Yahoo(credentials),
    issuer: 'https://api.login.yahoo.com',
    params: STANDARD_SCOPE,
    usesPkce: false,
    sendsNonce: true,
    promptParams: { prompt: 'login' },
  },
}

describe.each(Object.entries(OIDC_PROVIDERS))('the OpenID Connect provider %s', (id, expected) => {
  it('is discovered by its issuer', () => {
    const provider = resolve(expected.provider)

    expect(provider).toMatchObject({
      id,
      type: 'oidc',
      issuer: expected.issuer,
      wellKnown: `${expected.issuer}/.well-known/openid-configuration`,
      codeChallengeEncoding: expected.usesPkce ? 'base64url' : 'none',
      sendsNonce: expected.sendsNonce,
    })
    expect(provider.authorization).toEqual({ url: undefined, params: expected.params })
    expect(provider.promptParams).toEqual(expected.promptParams)
  })
})

interface ProfileExpectation {
  provider: AnyProvider
  /** A response as the provider documents it. */
  response: unknown
  user: User
  /** The same with nothing but the identifier. */
  minimal: unknown
  minimalId: string
  tokens?: TokenSet
}

const IMAGE = 'https://pictures.example/mia.png'
const EMAIL = 'mia@example.com'

const claims = {
  sub: '248289761001',
  name: 'Mia Moreau',
  email: EMAIL,
  email_verified: true,
  picture: IMAGE,
}
const userFromClaims = {
  id: '248289761001',
  name: 'Mia Moreau',
  email: EMAIL,
  emailVerified: true,
  image: IMAGE,
}

const PROFILES: Record<string, ProfileExpectation> = {
  apple: {
    provider: Apple(credentials),
    response: {
      sub: '001234.0a1b2c3d4e5f.0123',
      email: 'dpdcnf87nu@privaterelay.appleid.com',
      email_verified: 'true',
      is_private_email: 'true',
      nonce_supported: true,
    },
    user: {
      id: '001234.0a1b2c3d4e5f.0123',
      email: 'dpdcnf87nu@privaterelay.appleid.com',
      emailVerified: true,
    },
    minimal: { sub: '001234.0a1b2c3d4e5f.0123' },
    minimalId: '001234.0a1b2c3d4e5f.0123',
  },
  discord: {
    provider: Discord(credentials),
    response: {
      id: '80351110224678912',
      username: 'mia',
      discriminator: '0',
      global_name: 'Mia',
      avatar: '8342729096ea3675442027381ff50dfe',
      verified: true,
      email: EMAIL,
    },
    user: {
      id: '80351110224678912',
      name: 'Mia',
      email: EMAIL,
      emailVerified: true,
      image:
        'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
      username: 'mia',
    },
    minimal: { id: '80351110224678912' },
    minimalId: '80351110224678912',
  },
  dropbox: {
    provider: Dropbox(credentials),
    response: {
      account_id: 'dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc',
      name: { given_name: 'Mia', surname: 'Moreau', display_name: 'Mia Moreau' },
      email: EMAIL,
      email_verified: true,
      profile_photo_url: IMAGE,
    },
    user: {
      id: 'dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc',
      name: 'Mia Moreau',
      email: EMAIL,
      emailVerified: true,
      image: IMAGE,
    },
    minimal: { account_id: 'dbid:A' },
    minimalId: 'dbid:A',
  },
  facebook: {
    provider: Facebook(credentials),
    response: {
      id: '10158002231230001',
      name: 'Mia Moreau',
      email: EMAIL,
      picture: { data: { height: 200, is_silhouette: false, url: IMAGE, width: 200 } },
    },
    user: { id: '10158002231230001', name: 'Mia Moreau', email: EMAIL, image: IMAGE },
    minimal: { id: '10158002231230001' },
    minimalId: '10158002231230001',
  },
  github: {
    provider: GitHub(credentials),
    response: {
      id: 583231,
      login: 'mia',
      name: 'Mia Moreau',
      email: 'public@example.com',
      avatar_url: IMAGE,
      html_url: 'https://github.com/mia',
      emails: [
        { email: 'old@example.com', primary: false, verified: true, visibility: null },
        { email: EMAIL, primary: true, verified: true, visibility: 'private' },
      ],
    },
    user: {
      id: '583231',
      name: 'Mia Moreau',
      email: EMAIL,
      emailVerified: true,
      image: IMAGE,
      username: 'mia',
      url: 'https://github.com/mia',
    },
    minimal: { id: 583231, emails: [] },
    minimalId: '583231',
  },
  gitlab: {
    provider: GitLab(credentials),
    response: {
      id: 1,
      username: 'mia',
      name: 'Mia Moreau',
      state: 'active',
      email: EMAIL,
      confirmed_at: '2012-05-23T09:05:22Z',
      avatar_url: IMAGE,
      web_url: 'https://gitlab.com/mia',
    },
    user: {
      id: '1',
      name: 'Mia Moreau',
      email: EMAIL,
      emailVerified: true,
      image: IMAGE,
      username: 'mia',
      url: 'https://gitlab.com/mia',
    },
    minimal: { id: 1 },
    minimalId: '1',
  },
  instagram: {
    provider: Instagram(credentials),
    response: {
      id: '26102000000000001',
      user_id: '17841400000000001',
      username: 'mia.paints',
      name: 'Mia paints',
      profile_picture_url: IMAGE,
    },
    user: {
      id: '17841400000000001',
      name: 'Mia paints',
      image: IMAGE,
      username: 'mia.paints',
    },
    minimal: { data: [{ user_id: '17841400000000001' }] },
    minimalId: '17841400000000001',
  },
  kakao: {
    provider: Kakao(credentials),
    response: {
      id: 123456789,
      connected_at: '2022-04-11T01:45:28Z',
      kakao_account: {
        profile_nickname_needs_agreement: false,
        profile: { nickname: 'Mia', thumbnail_image_url: IMAGE, profile_image_url: IMAGE },
        is_email_valid: true,
        is_email_verified: true,
        email: EMAIL,
      },
    },
    user: { id: '123456789', name: 'Mia', email: EMAIL, emailVerified: true, image: IMAGE },
    minimal: { id: 123456789 },
    minimalId: '123456789',
  },
  line: {
    provider: Line(credentials),
    response: { sub: 'U1234567890abcdef1234567890abcdef', name: 'Mia', picture: IMAGE },
    user: { id: 'U1234567890abcdef1234567890abcdef', name: 'Mia', email: EMAIL, image: IMAGE },
    tokens: { id_token: new UnsecuredJWT({ email: EMAIL }).encode() },
    minimal: { sub: 'U1234567890abcdef1234567890abcdef' },
    minimalId: 'U1234567890abcdef1234567890abcdef',
  },
  linkedin: {
    provider: LinkedIn(credentials),
    response: { ...claims, locale: 'en_US' },
    user: userFromClaims,
    minimal: { sub: '782bbtaQ' },
    minimalId: '782bbtaQ',
  },
  'microsoft-entra-id': {
    provider: MicrosoftEntraId({ ...credentials, issuer: TENANT }),
    response: {
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      oid: '00000000-0000-0000-66f3-3332eca7ea81',
      tid: '72f988bf-86f1-41af-91ab-2d7cd011db47',
      name: 'Mia Moreau',
      preferred_username: 'mia@contoso.example',
      email: EMAIL,
      email_verified: true,
    },
    user: {
      id: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      name: 'Mia Moreau',
      email: EMAIL,
      username: 'mia@contoso.example',
    },
    minimal: { sub: 'AAAA' },
    minimalId: 'AAAA',
  },
  naver: {
    provider: Naver(credentials),
    response: {
      resultcode: '00',
      message: 'success',
      response: {
        id: '32742776',
        nickname: 'mia',
        name: 'Mia Moreau',
        email: EMAIL,
        profile_image: IMAGE,
      },
    },
    user: { id: '32742776', name: 'Mia Moreau', email: EMAIL, image: IMAGE },
    minimal: { resultcode: '00', message: 'success', response: { id: '32742776' } },
    minimalId: '32742776',
  },
  reddit: {
    provider: Reddit(credentials),
    response: {
      id: '1abcd2',
      name: 'mia_paints',
      icon_img: `${IMAGE}?width=256&s=abc`,
      has_verified_email: true,
    },
    user: {
      id: '1abcd2',
      name: 'mia_paints',
      image: `${IMAGE}?width=256&s=abc`,
      username: 'mia_paints',
    },
    minimal: { id: '1abcd2' },
    minimalId: '1abcd2',
  },
  slack: {
    provider: Slack(credentials),
    response: {
      ...claims,
      'https://slack.com/user_id': 'U0R7JM',
      'https://slack.com/team_id': 'T0',
    },
    user: userFromClaims,
    minimal: { sub: 'U0R7JM' },
    minimalId: 'U0R7JM',
  },
  spotify: {
    provider: Spotify(credentials),
    response: {
      id: 'mia',
      display_name: 'Mia',
      email: EMAIL,
      images: [{ url: IMAGE, height: 300, width: 300 }],
      external_urls: { spotify: 'https://open.spotify.com/user/mia' },
    },
    user: {
      id: 'mia',
      name: 'Mia',
      email: EMAIL,
      image: IMAGE,
      url: 'https://open.spotify.com/user/mia',
    },
    minimal: { id: 'mia', images: [] },
    minimalId: 'mia',
  },
  twitch: {
    provider: Twitch(credentials),
    response: {
      sub: '713936733',
      preferred_username: 'MiaPlays',
      email: EMAIL,
      email_verified: true,
      picture: IMAGE,
    },
    user: {
      id: '713936733',
      name: 'MiaPlays',
      email: EMAIL,
      emailVerified: true,
      image: IMAGE,
      username: 'MiaPlays',
    },
    minimal: { sub: '713936733' },
    minimalId: '713936733',
  },
  twitter: {
    provider: Twitter(credentials),
    response: {
      data: { id: '2244994945', name: 'Mia', username: 'mia_m', profile_image_url: IMAGE },
    },
    user: { id: '2244994945', name: 'Mia', image: IMAGE, username: 'mia_m' },
    minimal: { data: { id: '2244994945' } },
    minimalId: '2244994945',
  },
  yahoo: {
    provider: Yahoo(credentials),
    response: { ...claims, given_name: 'Mia', family_name: 'Moreau', locale: 'en-US' },
    user: userFromClaims,
    minimal: { sub: 'JVQ2F4N7' },
    minimalId: 'JVQ2F4N7',
  },
  zoom: {
    provider: Zoom(credentials),
    response: {
      id: 'zJKyaiAyTNC-MWjiWC18KQ',
      first_name: 'Mia',
      last_name: 'Moreau',
      display_name: 'Mia Moreau',
      email: EMAIL,
      verified: 1,
      pic_url: IMAGE,
    },
    user: {
      id: 'zJKyaiAyTNC-MWjiWC18KQ',
      name: 'Mia Moreau',
      email: EMAIL,
      emailVerified: true,
      image: IMAGE,
    },
    minimal: { id: 'zJKyaiAyTNC-MWjiWC18KQ' },
    minimalId: 'zJKyaiAyTNC-MWjiWC18KQ',
  },
}

describe.each(Object.entries(PROFILES))('a profile of %s', (_id, expected) => {
  const { profile } = resolve(expected.provider)

  it('is mapped to a user', async () => {
    const user = await profile(expected.response, expected.tokens ?? {})

    expect(withoutUndefined(user)).toEqual(expected.user)
  })

  it('with nothing but an identifier is mapped to a user with nothing else', async () => {
    const user = await profile(expected.minimal, {})

    expect(withoutUndefined({ ...user, emailVerified: user.emailVerified || undefined })).toEqual({
      id: expected.minimalId,
    })
  })
})

it.each(['discord', 'github', 'gitlab', 'instagram', 'kakao', 'naver', 'twitter', 'zoom'])(
  'an empty profile of %s has no id, rather than the id "undefined"',
  async (id) => {
    const { provider } = PROFILES[id] ?? { provider: Apple(credentials) }

    expect((await resolve(provider).profile({}, {})).id || '').toBe('')
  },
)

describe('an email address', () => {
  const mapProfile = async (provider: AnyProvider, response: unknown) =>
    resolve(provider).profile(response, {})

  it.each<[string, AnyProvider, object]>([
    ['Apple', Apple(credentials), { sub: '1', email: EMAIL, email_verified: 'false' }],
    ['Discord', Discord(credentials), { id: '1', email: EMAIL, verified: false }],
    ['Dropbox', Dropbox(credentials), { account_id: '1', email: EMAIL, email_verified: false }],
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
    ['Naver', Naver(credentials), { response: { id: '1', email: EMAIL } }],
    ['Spotify', Spotify(credentials), { id: '1', email: EMAIL }],
    ['Zoom', Zoom(credentials), { id: '1', email: EMAIL, verified: 0 }],
    [
      'Entra ID, whatever it claims',
      MicrosoftEntraId({ ...credentials, issuer: TENANT }),
      { sub: '1', email: EMAIL, email_verified: true, xms_edov: true },
    ],
  ])('that %s has not verified is not verified', async (_name, provider, response) => {
    const { email, emailVerified } = await mapProfile(provider, response)

    expect(email).toBe(EMAIL)
    expect(emailVerified).not.toBe(true)
  })

  it('of Entra ID may be the preferred username, if that is an email address', async () => {
    const entra = MicrosoftEntraId({ ...credentials, issuer: TENANT })

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

/** A missing property and one that is undefined mean the same. */
function withoutUndefined(user: User): Partial<User> {
  return Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined))
}

/** Sends the userinfo request to a provider with these responses, and records the requests. */
async function requestProfile({ userinfo }: ResolvedProvider, responses: Record<string, Response>) {
  const requests: Request[] = []
  const profile = await userinfo.request?.({
    url: userinfo.url ?? '',
    params: userinfo.params ?? {},
    tokens: { access_token: 'the-token' },
    fetch: async (url, init) => {
      requests.push(new Request(url, init))
      return responses[url] ?? new Response(null, { status: 404 })
    },
  })
  return { profile, requests }
}
