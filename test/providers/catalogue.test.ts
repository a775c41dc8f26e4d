import { exportPKCS8, exportSPKI, generateKeyPair, importSPKI, jwtVerify, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_PROVIDERS, NEED_ISSUER } from '../../src/config/built-in-providers.ts'
import type { Config, ProviderSettings } from '../../src/config/config.ts'
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
import type { Provider } from '../../src/providers/types.ts'
import { Yahoo } from '../../src/providers/yahoo.ts'
import { Zoom } from '../../src/providers/zoom.ts'
import type { Attempt } from '../../src/signin/attempt.ts'
import { authorizationUrl } from '../../src/upstream/authorization-url.ts'
import { enabledProviders } from '../../src/upstream/enabled-providers.ts'
import { type ResolvedProvider, resolveProvider } from '../../src/upstream/resolve.ts'

const keys = { clientId: 'id', clientSecret: 'secret' }
const TENANT = 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0'

const resolve = (provider: Provider) => resolveProvider(provider, 'https://login.example')

/** RFC 7636 appendix B. */
const attempt: Attempt = {
  v: 1,
  name: '23456-789BC',
  provider: '',
  state: 'the-state',
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  nonce: 'the-nonce',
  returnTo: '/',
  mayReplace: false,
  isForced: false,
  expiresAt: 0,
}

const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

const BASIC = 'client_secret_basic'

interface Platform {
  provider: Provider
  authorization: string
  token: string
  userinfo: string
  /** What the authorization request says besides what every one says. */
  sends: Record<string, string>
  reconsider: Record<string, string>
  method?: string
}

const PLATFORMS: Record<string, Platform> = {
  discord: {
    provider: Discord(keys),
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/v10/users/@me',
    sends: { scope: 'identify email', ...CHALLENGE },
    reconsider: { prompt: 'consent' },
  },
  dropbox: {
    provider: Dropbox(keys),
    authorization: 'https://www.dropbox.com/oauth2/authorize',
    token: 'https://api.dropboxapi.com/oauth2/token',
    userinfo: 'https://api.dropboxapi.com/2/users/get_current_account',
    sends: { scope: 'account_info.read', ...CHALLENGE },
    reconsider: { force_reauthentication: 'true' },
  },
  facebook: {
    provider: Facebook(keys),
    authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    userinfo: 'https://graph.facebook.com/v23.0/me',
    sends: { scope: 'public_profile,email' },
    reconsider: { auth_type: 'reauthenticate' },
  },
  github: {
    provider: GitHub(keys),
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    sends: { scope: 'read:user user:email', ...CHALLENGE },
    reconsider: { prompt: 'select_account' },
  },
  gitlab: {
    provider: GitLab(keys),
    authorization: 'https://gitlab.com/oauth/authorize',
    token: 'https://gitlab.com/oauth/token',
    userinfo: 'https://gitlab.com/api/v4/user',
    sends: { scope: 'read_user', ...CHALLENGE },
    reconsider: {},
  },
  instagram: {
    provider: Instagram(keys),
    authorization: 'https://www.instagram.com/oauth/authorize',
    token: 'https://api.instagram.com/oauth/access_token',
    userinfo: 'https://graph.instagram.com/v23.0/me',
    sends: { scope: 'instagram_business_basic' },
    reconsider: { force_reauth: 'true' },
  },
  kakao: {
    provider: Kakao(keys),
    authorization: 'https://kauth.kakao.com/oauth/authorize',
    token: 'https://kauth.kakao.com/oauth/token',
    userinfo: 'https://kapi.kakao.com/v2/user/me',
    sends: {},
    reconsider: { prompt: 'select_account' },
  },
  line: {
    provider: Line(keys),
    authorization: 'https://access.line.me/oauth2/v2.1/authorize',
    token: 'https://api.line.me/oauth2/v2.1/token',
    userinfo: 'https://api.line.me/oauth2/v2.1/userinfo',
    sends: { scope: 'openid profile', ...CHALLENGE },
    reconsider: { disable_auto_login: 'true' },
  },
  naver: {
    provider: Naver(keys),
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    userinfo: 'https://openapi.naver.com/v1/nid/me',
    sends: {},
    reconsider: { auth_type: 'reauthenticate' },
  },
  reddit: {
    provider: Reddit(keys),
    authorization: 'https://www.reddit.com/api/v1/authorize',
    token: 'https://www.reddit.com/api/v1/access_token',
    userinfo: 'https://oauth.reddit.com/api/v1/me',
    sends: { scope: 'identity' },
    reconsider: {},
    method: BASIC,
  },
  spotify: {
    provider: Spotify(keys),
    authorization: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    sends: { scope: 'user-read-email', ...CHALLENGE },
    reconsider: { show_dialog: 'true' },
    method: BASIC,
  },
  twitter: {
    provider: Twitter(keys),
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    userinfo: 'https://api.x.com/2/users/me',
    sends: { scope: 'users.read tweet.read', ...CHALLENGE },
    reconsider: {},
    method: BASIC,
  },
  zoom: {
    provider: Zoom(keys),
    authorization: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    userinfo: 'https://api.zoom.us/v2/users/me',
    sends: CHALLENGE,
    reconsider: {},
    method: BASIC,
  },
}

describe.each(Object.entries(PLATFORMS))('the OAuth 2 platform %s', (id, platform) => {
  const provider = resolve(platform.provider)

  it('is asked to sign people in with what it knows, and nothing else', async () => {
    const url = new URL(await authorizationUrl(provider, attempt))

    expect(url.origin + url.pathname).toBe(platform.authorization)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'id',
      response_type: 'code',
      redirect_uri: `https://login.example/api/auth/callback/${id}`,
      state: 'the-state',
      ...platform.sends,
    })
  })

  it('has its own endpoints, its own way to change the account, and asks nobody for more', () => {
    expect(provider).toMatchObject({
      type: 'oauth',
      wellKnown: undefined,
      token: { url: platform.token },
      userinfo: { url: platform.userinfo },
    })
    expect(provider.reconsider).toEqual(platform.reconsider)
    expect(provider.client['token_endpoint_auth_method']).toBe(platform.method)
  })
})

interface Issuer {
  provider: Provider
  issuer: string
  origins: string[]
  params: Record<string, string>
  usesPkce: boolean
  sendsNonce: boolean
  reconsider: Record<string, string>
}

const STANDARD = { scope: 'openid profile email' }

const ISSUERS: Record<string, Issuer> = {
  apple: {
    provider: Apple(keys),
    issuer: 'https://appleid.apple.com',
    origins: [],
    params: { scope: 'openid name email', response_mode: 'form_post' },
    usesPkce: false,
    sendsNonce: true,
    reconsider: {},
  },
  linkedin: {
    provider: LinkedIn(keys),
    issuer: 'https://www.linkedin.com/oauth',
    origins: ['https://api.linkedin.com'],
    params: STANDARD,
    usesPkce: false,
    sendsNonce: false,
    reconsider: {},
  },
  'microsoft-entra-id': {
    provider: MicrosoftEntraId({ ...keys, issuer: TENANT }),
    issuer: TENANT,
    origins: ['https://login.microsoftonline.com', 'https://graph.microsoft.com'],
    params: STANDARD,
    usesPkce: true,
    sendsNonce: true,
    reconsider: { prompt: 'select_account' },
  },
  slack: {
    provider: Slack(keys),
    issuer: 'https://slack.com',
    origins: [],
    params: STANDARD,
    usesPkce: false,
    sendsNonce: true,
    reconsider: {},
  },
  twitch: {
    provider: Twitch(keys),
    issuer: 'https://id.twitch.tv/oauth2',
    origins: [],
    params: {
      scope: 'openid user:read:email',
      claims:
        '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
    usesPkce: false,
    sendsNonce: true,
    reconsider: { force_verify: 'true' },
  },
  yahoo: {
    provider: Yahoo(keys),
    issuer: 'https://api.login.yahoo.com',
    origins: [],
    params: STANDARD,
    usesPkce: false,
    sendsNonce: true,
    reconsider: { prompt: 'login' },
  },
}

describe.each(Object.entries(ISSUERS))('the OpenID Connect provider %s', (id, expected) => {
  it('is found through its issuer, and may send us to no other origin than it is known to', () => {
    const provider = resolve(expected.provider)

    expect(provider).toMatchObject({
      id,
      type: 'oidc',
      issuer: expected.issuer,
      wellKnown: `${expected.issuer}/.well-known/openid-configuration`,
      endpointOrigins: expected.origins,
      codeChallenge: expected.usesPkce ? 'base64url' : 'none',
      sendsNonce: expected.sendsNonce,
    })
    expect(provider.authorization).toEqual({ url: undefined, params: expected.params })
    expect(provider.reconsider).toEqual(expected.reconsider)
  })
})

interface Person {
  provider: Provider
  /** As the platform documents it, with a person of ours. */
  answer: unknown
  user: User
  /** The same with nothing but the identity. */
  least: unknown
  leastId: string
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
const claimed = {
  id: '248289761001',
  name: 'Mia Moreau',
  email: EMAIL,
  emailVerified: true,
  image: IMAGE,
}

const PEOPLE: Record<string, Person> = {
  apple: {
    provider: Apple(keys),
    answer: {
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
    least: { sub: '001234.0a1b2c3d4e5f.0123' },
    leastId: '001234.0a1b2c3d4e5f.0123',
  },
  discord: {
    provider: Discord(keys),
    answer: {
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
    least: { id: '80351110224678912' },
    leastId: '80351110224678912',
  },
  dropbox: {
    provider: Dropbox(keys),
    answer: {
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
    least: { account_id: 'dbid:A' },
    leastId: 'dbid:A',
  },
  facebook: {
    provider: Facebook(keys),
    answer: {
      id: '10158002231230001',
      name: 'Mia Moreau',
      email: EMAIL,
      picture: { data: { height: 200, is_silhouette: false, url: IMAGE, width: 200 } },
    },
    user: { id: '10158002231230001', name: 'Mia Moreau', email: EMAIL, image: IMAGE },
    least: { id: '10158002231230001' },
    leastId: '10158002231230001',
  },
  github: {
    provider: GitHub(keys),
    answer: {
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
    least: { id: 583231, emails: [] },
    leastId: '583231',
  },
  gitlab: {
    provider: GitLab(keys),
    answer: {
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
    least: { id: 1 },
    leastId: '1',
  },
  instagram: {
    provider: Instagram(keys),
    answer: {
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
    least: { data: [{ user_id: '17841400000000001' }] },
    leastId: '17841400000000001',
  },
  kakao: {
    provider: Kakao(keys),
    answer: {
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
    least: { id: 123456789 },
    leastId: '123456789',
  },
  line: {
    provider: Line(keys),
    answer: { sub: 'U1234567890abcdef1234567890abcdef', name: 'Mia', picture: IMAGE },
    user: { id: 'U1234567890abcdef1234567890abcdef', name: 'Mia', email: EMAIL, image: IMAGE },
    tokens: { id_token: new UnsecuredJWT({ email: EMAIL }).encode() },
    least: { sub: 'U1234567890abcdef1234567890abcdef' },
    leastId: 'U1234567890abcdef1234567890abcdef',
  },
  linkedin: {
    provider: LinkedIn(keys),
    answer: { ...claims, locale: 'en_US' },
    user: claimed,
    least: { sub: '782bbtaQ' },
    leastId: '782bbtaQ',
  },
  'microsoft-entra-id': {
    provider: MicrosoftEntraId({ ...keys, issuer: TENANT }),
    answer: {
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
    least: { sub: 'AAAA' },
    leastId: 'AAAA',
  },
  naver: {
    provider: Naver(keys),
    answer: {
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
    least: { resultcode: '00', message: 'success', response: { id: '32742776' } },
    leastId: '32742776',
  },
  reddit: {
    provider: Reddit(keys),
    answer: {
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
    least: { id: '1abcd2' },
    leastId: '1abcd2',
  },
  slack: {
    provider: Slack(keys),
    answer: { ...claims, 'https://slack.com/user_id': 'U0R7JM', 'https://slack.com/team_id': 'T0' },
    user: claimed,
    least: { sub: 'U0R7JM' },
    leastId: 'U0R7JM',
  },
  spotify: {
    provider: Spotify(keys),
    answer: {
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
    least: { id: 'mia', images: [] },
    leastId: 'mia',
  },
  twitch: {
    provider: Twitch(keys),
    answer: {
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
    least: { sub: '713936733' },
    leastId: '713936733',
  },
  twitter: {
    provider: Twitter(keys),
    answer: {
      data: { id: '2244994945', name: 'Mia', username: 'mia_m', profile_image_url: IMAGE },
    },
    user: { id: '2244994945', name: 'Mia', image: IMAGE, username: 'mia_m' },
    least: { data: { id: '2244994945' } },
    leastId: '2244994945',
  },
  yahoo: {
    provider: Yahoo(keys),
    answer: { ...claims, given_name: 'Mia', family_name: 'Moreau', locale: 'en-US' },
    user: claimed,
    least: { sub: 'JVQ2F4N7' },
    leastId: 'JVQ2F4N7',
  },
  zoom: {
    provider: Zoom(keys),
    answer: {
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
    least: { id: 'zJKyaiAyTNC-MWjiWC18KQ' },
    leastId: 'zJKyaiAyTNC-MWjiWC18KQ',
  },
}

describe.each(Object.entries(PEOPLE))('a person at %s', (_id, person) => {
  const { profile } = resolve(person.provider)

  it('is who the platform says they are', async () => {
    const user = await profile(person.answer, person.tokens ?? {})

    expect(present(user)).toEqual(person.user)
  })

  it('of whom only the identity is told has nothing made up about them', async () => {
    const user = await profile(person.least, {})

    expect(present({ ...user, emailVerified: user.emailVerified || undefined })).toEqual({
      id: person.leastId,
    })
  })
})

it.each(['discord', 'github', 'gitlab', 'instagram', 'kakao', 'naver', 'twitter', 'zoom'])(
  'nobody at all is nobody at %s, not somebody called "undefined"',
  async (id) => {
    const { provider } = PEOPLE[id] ?? { provider: Apple(keys) }

    expect((await resolve(provider).profile({}, {})).id || '').toBe('')
  },
)

describe('an address', () => {
  const map = async (provider: Provider, answer: unknown) => resolve(provider).profile(answer, {})

  it.each<[string, Provider, object]>([
    ['Apple', Apple(keys), { sub: '1', email: EMAIL, email_verified: 'false' }],
    ['Discord', Discord(keys), { id: '1', email: EMAIL, verified: false }],
    ['Dropbox', Dropbox(keys), { account_id: '1', email: EMAIL, email_verified: false }],
    ['Facebook', Facebook(keys), { id: '1', email: EMAIL, verified: true }],
    ['GitHub', GitHub(keys), { id: 1, email: EMAIL, emails: [] }],
    [
      'GitHub, unconfirmed',
      GitHub(keys),
      { id: 1, email: EMAIL, emails: [{ email: 'x@y.example', primary: true, verified: false }] },
    ],
    ['GitLab', GitLab(keys), { id: 1, email: EMAIL, confirmed_at: null }],
    [
      'one’s own GitLab',
      GitLab({ ...keys, issuer: 'https://git.example/' }),
      { id: 1, email: EMAIL, confirmed_at: '2012-05-23T09:05:22Z' },
    ],
    [
      'Kakao, where another account took it over',
      Kakao(keys),
      {
        id: 1,
        kakao_account: { email: EMAIL, is_email_valid: false, is_email_verified: true },
      },
    ],
    ['Naver', Naver(keys), { response: { id: '1', email: EMAIL } }],
    ['Spotify', Spotify(keys), { id: '1', email: EMAIL }],
    ['Zoom', Zoom(keys), { id: '1', email: EMAIL, verified: 0 }],
    [
      'Entra ID, whatever it claims',
      MicrosoftEntraId({ ...keys, issuer: TENANT }),
      { sub: '1', email: EMAIL, email_verified: true, xms_edov: true },
    ],
  ])('that %s does not vouch for is not verified', async (_name, provider, answer) => {
    const { email, emailVerified } = await map(provider, answer)

    expect(email).toBe(EMAIL)
    expect(emailVerified).not.toBe(true)
  })

  it('at Entra ID may be the name people sign in with, where that is one', async () => {
    const entra = MicrosoftEntraId({ ...keys, issuer: TENANT })

    expect(await map(entra, { sub: '1', preferred_username: EMAIL })).toMatchObject({
      email: EMAIL,
    })
    expect(await map(entra, { sub: '1', preferred_username: '+49 30 1234' })).toMatchObject({
      email: undefined,
      username: '+49 30 1234',
    })
  })
})

describe('Apple’s client secret', () => {
  it('is signed with the team’s key, for five minutes and this client alone', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const key = (await exportPKCS8(privateKey)).replaceAll(/-----.*-----|\s/g, '')
    const apple = resolve(
      Apple({ clientId: 'com.example.web', clientSecret: `TEAM123456.KEY1234567.${key}` }),
    )

    const { payload, protectedHeader } = await jwtVerify(
      await apple.secret(apple.clientSecrets[0] ?? '', apple.clientId),
      await importSPKI(await exportSPKI(publicKey), 'ES256'),
      { issuer: 'TEAM123456', subject: 'com.example.web', audience: 'https://appleid.apple.com' },
    )

    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300)
  })

  it('is sent as it is when it has been signed already', async () => {
    const clientSecret = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2lnbmF0dXJl'

    const apple = resolve(Apple({ ...keys, clientSecret }))
    expect(await apple.secret(clientSecret, apple.clientId)).toBe(clientSecret)
  })
})

describe('a platform with a userinfo request of its own', () => {
  it('GitHub: is asked for the profile and the addresses, by somebody with a name', async () => {
    const { answer, requests } = await askProfile(resolve(GitHub(keys)), {
      'https://api.github.com/user': Response.json({ id: 583231, login: 'mia' }),
      'https://api.github.com/user/emails': Response.json([
        { email: EMAIL, primary: true, verified: true },
      ]),
    })

    expect(answer).toEqual({
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

  it('GitHub: lets people in who did not share their addresses', async () => {
    const { answer } = await askProfile(resolve(GitHub(keys)), {
      'https://api.github.com/user': Response.json({ id: 583231 }),
      'https://api.github.com/user/emails': new Response('{}', { status: 403 }),
    })

    expect(answer).toEqual({ id: 583231, emails: [] })
  })

  it('Dropbox: is called with null for arguments', async () => {
    const url = 'https://api.dropboxapi.com/2/users/get_current_account'
    const { answer, requests } = await askProfile(resolve(Dropbox(keys)), {
      [url]: Response.json({ account_id: 'dbid:A' }),
    })

    expect(answer).toEqual({ account_id: 'dbid:A' })
    const [request] = requests
    expect(request?.method).toBe('POST')
    expect(request?.headers.get('Authorization')).toBe('Bearer the-token')
    expect(request?.headers.get('Content-Type')).toBe('application/json')
    expect(await request?.text()).toBe('null')
  })

  it.each([
    ['GitHub', GitHub(keys)],
    ['Dropbox', Dropbox(keys)],
  ])('%s: passes its refusal on for the log', async (_name, provider) => {
    const refused = askProfile(resolve(provider), {})

    await expect(refused).rejects.toMatchObject({ cause: { status: 404 } })
  })
})

describe('a token response', () => {
  const conform = async (provider: Provider, answer: unknown, status = 200) => {
    const response = Response.json(answer, { status })
    return (await resolve(provider).token.conform?.(response)) ?? response
  }

  it.each([
    ['LinkedIn', LinkedIn(keys), { access_token: 'a' }],
    ['Instagram', Instagram(keys), { access_token: 'a' }],
    ['Instagram, in a list', Instagram(keys), { data: [{ access_token: 'a' }] }],
  ])('of %s is given the token type it lacks (RFC 6749 §5.1)', async (_name, provider, answer) => {
    expect(await (await conform(provider, answer)).json()).toEqual({
      access_token: 'a',
      token_type: 'bearer',
    })
  })

  it('of Twitch has its list of scopes joined', async () => {
    const response = await conform(Twitch(keys), {
      access_token: 'a',
      scope: ['openid', 'user:read:email'],
    })

    expect(await response.json()).toEqual({ access_token: 'a', scope: 'openid user:read:email' })
  })

  it.each([
    ['LinkedIn', LinkedIn(keys)],
    ['Instagram', Instagram(keys)],
    ['Twitch', Twitch(keys)],
    ['Kakao', Kakao(keys)],
  ])('of %s that is an error stays one', async (_name, provider) => {
    const response = await conform(provider, { error: 'invalid_grant' }, 400)

    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'invalid_grant' })
  })
})

describe('the catalogue', () => {
  const settings = (issuer: string | undefined): ProviderSettings => ({
    ...keys,
    issuer,
    otherClientSecret: undefined,
    name: undefined,
    scope: undefined,
    tokens: undefined,
  })
  const config = {
    issuer: 'https://login.example',
    providers: new Map(
      BUILT_IN_PROVIDERS.map((id) => [
        id,
        settings(NEED_ISSUER.includes(id) ? 'https://idp.example' : undefined),
      ]),
    ),
    standIn: { webUrl: undefined, apiUrl: undefined },
    redirectProxy: { url: undefined, origins: [], seal: undefined },
  } as unknown as Config

  it('holds every provider under its own id', () => {
    expect(enabledProviders(config).map(({ id }) => id)).toEqual([...BUILT_IN_PROVIDERS])
  })

  it('calls each by another name, in a colour', () => {
    const providers = enabledProviders(config)

    expect(new Set(providers.map(({ name }) => name)).size).toBe(providers.length)
    for (const { id, style } of providers.filter((provider) => provider.id !== 'oidc')) {
      expect(style.brandColor, id).toMatch(/^#[0-9a-f]{6}$/)
    }
  })

  it('takes a deployment’s scope in place of its own, and keeps its other parameters', () => {
    const twitch = resolve(Twitch({ ...keys, authorization: { params: { scope: 'openid' } } }))

    expect(twitch.authorization.params).toMatchObject({
      scope: 'openid',
      claims: expect.any(String),
    })
  })

  it('finds one’s own GitLab where it is, below a path too', () => {
    const gitlab = resolve(GitLab({ ...keys, issuer: 'https://example.org/git/' }))

    expect(gitlab).toMatchObject({
      authorization: { url: 'https://example.org/git/oauth/authorize' },
      token: { url: 'https://example.org/git/oauth/token' },
      userinfo: { url: 'https://example.org/git/api/v4/user' },
    })
  })

  it('has no Entra ID without a tenant', () => {
    expect(() => resolve(MicrosoftEntraId(keys))).toThrow('issuer')
  })
})

/** What is there: absent and undefined are the same to those who read it. */
function present(user: User): Partial<User> {
  return Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined))
}

/** Asks a platform that answers at these addresses, and tells what it was asked. */
async function askProfile({ userinfo }: ResolvedProvider, answers: Record<string, Response>) {
  const requests: Request[] = []
  const answer = await userinfo.request?.({
    url: userinfo.url ?? '',
    params: userinfo.params ?? {},
    tokens: { access_token: 'the-token' },
    fetch: async (url, init) => {
      requests.push(new Request(url, init))
      return answers[url] ?? new Response(null, { status: 404 })
    },
  })
  return { answer, requests }
}
