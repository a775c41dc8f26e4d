import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { defineFeature } from '../../../src/define-feature/define-feature.ts'
import { options } from '../../../src/deployment.ts'
import { Oidc } from '../../../src/providers/oidc.ts'
import { type Callbacks, createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, lastLogEntry, serviceOf, WITHOUT_TIKTOK } from '../../browser.ts'
import { OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { unsignedJwt } from '../../core/oidc/unsigned-jwt.ts'
import { reuseRsaKeys } from '../../reused-rsa-keys.ts'
import { sha256Hex } from '../../sha256-hex.ts'
import { userObject } from '../../storage.ts'
import {
  AppProvider,
  challenge,
  exchange,
  ID_TOKEN,
  OWN_APP,
  post,
  type Service,
  TOKEN_EXCHANGE,
  type TokenResponse,
} from './native-app.ts'

let provider: AppProvider
let sub: string

beforeEach(reuseRsaKeys)

beforeEach(async () => {
  provider = await new AppProvider().start()
  sub = `user-${crypto.randomUUID()}`
})

/** Signs in with a valid token and a nonce. */
async function signIn(
  service: Service,
  claims: Record<string, unknown> = {},
  changes: Record<string, string> = {},
): Promise<TokenResponse> {
  const nonce = await challenge(service)
  return exchange(service, await provider.sign({ sub, nonce, ...claims }), { nonce, ...changes })
}

describe('an ID token that an SDK returned to an app', () => {
  it('becomes access, ID and refresh tokens of the app, which are listed and can be revoked', async () => {
    const service = provider.service()

    const tokens = await signIn(service)

    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: 'openid profile offline_access',
    })
    const claims = decodeJwt(tokens.id_token ?? '')
    expect(claims).toMatchObject({ iss: LOGIN, aud: 'shop-app', name: 'Alice Park' })
    const userId = claims.sub ?? ''
    const { sessions } = await userObject(userId).readUserData()
    expect(sessions).toMatchObject([{ device: 'The shop', provider: 'oidc', sid: claims['sid'] }])
    const refresh = (refresh_token = '') =>
      post(service, '/oidc/token', {
        grant_type: 'refresh_token',
        client_id: 'shop-app',
        refresh_token,
      })
    const refreshed = await (await refresh(tokens.refresh_token)).json<TokenResponse>()
    expect(refreshed.access_token).toBeTruthy()
    await userObject(userId).endSessionById(String(claims['sid']))
    expect((await refresh(refreshed.refresh_token)).status).toBe(400)
  })

  it('signs the same user in as the browser does, and again', async () => {
    const service = provider.service()

    const [first, second] = [await signIn(service), await signIn(service)]

    expect(decodeJwt(first.id_token ?? '').sub).toMatch(/^usr_/)
    expect(decodeJwt(second.id_token ?? '').sub).toBe(decodeJwt(first.id_token ?? '').sub)
  })

  it('ends the session of the app when the app revokes its token', async () => {
    const service = provider.service()
    const tokens = await signIn(service)
    const userId = decodeJwt(tokens.id_token ?? '').sub ?? ''

    const form = { client_id: 'shop-app', token: tokens.refresh_token ?? '' }
    expect((await post(service, '/oidc/revoke', form)).status).toBe(200)

    expect((await userObject(userId).readUserData()).sessions).toEqual([])
  })

  it('leaves the session of a browser open when another app revokes its token', async () => {
    const service = provider.service()
    const browser = new Browser(service)
    await browser.signIn('mia')
    const app = new RelyingApp('shop', service)
    const tokens = await app.tokens(browser, OFFLINE_ACCESS)

    await post(service, '/oidc/revoke', { client_id: 'shop', token: tokens.refresh_token ?? '' })

    expect(await browser.sid()).toBe(tokens.claims()?.['sid'])
  })

  it('passes its nonce and the time of the sign-in at the provider on', async () => {
    const service = provider.service()
    const nonce = await challenge(service)
    const auth_time = Math.floor(Date.now() / 1000) - 1000
    const token = await provider.sign({ sub, nonce, auth_time })

    const { id_token = '' } = await exchange(service, token, { nonce })

    const claims = decodeJwt(id_token)
    expect(claims['nonce']).toBe(nonce)
    const { sessions } = await userObject(claims.sub).readUserData()
    expect(sessions).toMatchObject([{ authenticatedAt: auth_time }])
  })

  it('sets no cookie, and the session of the app opens no page', async () => {
    const service = provider.service()
    const nonce = await challenge(service)
    const response = await post(service, '/oidc/token', {
      grant_type: TOKEN_EXCHANGE,
      client_id: OWN_APP.client_id,
      provider: 'oidc',
      subject_token: await provider.sign({ sub, nonce }),
      subject_token_type: ID_TOKEN,
      nonce,
    })

    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
  })

  it.each([
    ['aud is the app', { aud: 'ios-app' }, undefined],
    ['aud is the app, as a list', { aud: ['ios-app'] }, undefined],
    ['aud and azp are the app', { aud: 'ios-app', azp: 'ios-app' }, undefined],
    ['aud is our client and azp the app', { aud: 'web-client', azp: 'android-app' }, undefined],
    ['aud is our client without azp', { aud: 'web-client' }, 'is not for an app'],
    ['aud and azp are our client', { aud: 'web-client', azp: 'web-client' }, 'is not for an app'],
    ['aud is an app of others', { aud: 'evil-app' }, 'is not for an app'],
    ['azp is an app of others', { aud: 'web-client', azp: 'evil-app' }, 'is not for an app'],
    ['aud is ours and azp another’s', { aud: 'ios-app', azp: 'evil-app' }, 'is not for an app'],
    ['azp is ours and aud another’s', { aud: 'evil', azp: 'ios-app' }, 'is not for an app'],
    ['aud has others', { aud: ['ios-app', 'evil'], azp: 'ios-app' }, 'is not for an app'],
    ['aud is empty', { aud: [] }, 'is not for an app'],
    ['aud is missing', { aud: undefined }, 'is not for an app'],
    ['aud is an object', { aud: { 0: 'ios-app' } }, 'is not for an app'],
    ['azp is a list', { azp: ['ios-app'] }, 'is not for an app'],
  ])('[K1] is accepted only for an app in the settings: %s', async (_, claims, problem) => {
    const { error, error_description } = await signIn(provider.service(), claims)

    expect(error).toBe(problem && 'invalid_grant')
    expect(error_description ?? '').toContain(problem ?? '')
  })

  const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60

  it.each<[string, () => Record<string, unknown>, string | undefined]>([
    ['four minutes old', () => ({ iat: minutesAgo(4) }), undefined],
    ['six minutes old', () => ({ iat: minutesAgo(6) }), 'is not from the last minutes'],
    ['from the future', () => ({ iat: minutesAgo(-3) }), 'is not from the last minutes'],
    ['expired', () => ({ exp: minutesAgo(1) }), 'is not a valid ID token'],
    ['without an expiry', () => ({ exp: undefined }), 'is not a valid ID token'],
    ['without a time', () => ({ iat: undefined }), 'is not a valid ID token'],
    ['with a time that is text', () => ({ iat: `${minutesAgo(0)}` }), 'is not a valid ID token'],
    ['of another issuer', () => ({ iss: 'https://evil.example' }), 'is not a valid ID token'],
    ['of a similar issuer', () => ({ iss: `${provider.issuer}/` }), 'is not a valid ID token'],
    ['without a user', () => ({ sub: undefined }), 'is not a valid ID token'],
    ['not valid yet', () => ({ nbf: minutesAgo(-10) }), 'is not a valid ID token'],
  ])('[E1] that is %s', async (_, claims, problem) => {
    const { error, error_description } = await signIn(provider.service(), claims())

    expect(error).toBe(problem && 'invalid_grant')
    expect(error_description ?? '').toContain(problem ?? '')
  })

  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['JWT', undefined],
    ['jwt', undefined],
    ['application/jwt', undefined],
    ['at+jwt', 'invalid_grant'],
    ['application/at+jwt', 'invalid_grant'],
    ['logout+jwt', 'invalid_grant'],
    ['secevent+jwt', 'invalid_grant'],
    ['', 'invalid_grant'],
  ])('[E1] must not be another kind of token: typ %j', async (typ, problem) => {
    const service = provider.service()
    const nonce = await challenge(service)

    const token = await provider.sign({ sub, nonce }, { typ })

    expect((await exchange(service, token, { nonce })).error).toBe(problem)
  })

  it('[E2] must be signed with a key of the provider', async () => {
    const service = provider.service()
    const other = await new AppProvider().start()
    const stranger = (await generateKeyPair('RS256', { extractable: true })).privateKey
    const hmacKeys = [
      new TextEncoder().encode(await exportSPKI(await publicKeyOf(provider))),
      new TextEncoder().encode(JSON.stringify(provider.publicJwk)),
      new TextEncoder().encode('our-secret-Kq7vR2'),
    ]
    const forgeries = async (nonce: string) => [
      await provider.sign({ sub, nonce }, {}, stranger),
      await provider.sign({ sub, nonce }, {}, other.key),
      await provider.sign({ sub, nonce }, { kid: 'two' }, stranger),
      await provider.sign({ sub, nonce }, { kid: '../jwks' }, stranger),
      await provider.sign({ sub, nonce }, { jku: `${other.issuer}/jwks` }, other.key),
      await provider.sign({ sub, nonce }, { jwk: other.publicJwk }, other.key),
      await other.sign({ sub, nonce }),
      unsignedJwt(provider.claims({ sub, nonce })),
      ...(await Promise.all(
        hmacKeys.map((key) =>
          new SignJWT(provider.claims({ sub, nonce }))
            .setProtectedHeader({ alg: 'HS256', kid: 'one' })
            .sign(key),
        ),
      )),
      `${(await provider.sign({ sub, nonce })).slice(0, -4)}AAAA`,
      withPayload(await provider.sign({ sub, nonce }), provider.claims({ sub: 'admin', nonce })),
    ]
    const nonce = await challenge(service)

    for (const forged of await forgeries(nonce)) {
      expect(await exchange(service, forged, { nonce })).toMatchObject({ error: 'invalid_grant' })
    }
    // A forgery does not use up the nonce.
    const valid = await provider.sign({ sub, nonce })
    expect((await exchange(service, valid, { nonce })).access_token).toBeTruthy()
  })

  it.each([
    '',
    'x',
    'a.b',
    'a.b.c',
    'a.e30.c',
    'e30.b.c',
    'a.b.c.d',
    '{}',
    'eyJhbGciOiJub25lIn0..',
  ])('is rejected if it is not a JWT: %j', async (token) => {
    const { error } = await exchange(provider.service(), token)

    expect(['invalid_grant', 'invalid_request']).toContain(error)
  })

  it('[K5] without a nonce is accepted once, however its signature is encoded', async () => {
    const service = provider.service({ AUTH_OIDC_APP_NONCE: 'optional' })
    const token = await provider.sign({ sub })

    expect((await exchange(service, token)).access_token).toBeTruthy()
    for (const again of [token, `${token}=`, `${token}==`]) {
      expect(await exchange(service, again)).toMatchObject({ error: 'invalid_grant' })
    }
  })

  it('[K4] needs a nonce of ours for this client, in plain text or hashed', async () => {
    const service = provider.service()
    const sign = (nonce?: unknown) => provider.sign({ sub, nonce })
    const use = async (claim: unknown, nonce?: string) =>
      (await exchange(service, await sign(claim), nonce === undefined ? {} : { nonce })).error

    const [first, second, third] = [
      await challenge(service),
      await challenge(service),
      await challenge(service),
    ]
    expect(first).not.toBe(second)
    expect(await use(undefined)).toBe('invalid_grant')
    expect(await use(undefined, first)).toBe('invalid_grant')
    expect(await use(first)).toBe('invalid_grant')
    expect(await use(second, first)).toBe('invalid_grant')
    expect(await use(await sha256Hex(second), first)).toBe('invalid_grant')
    expect(await use([first], first)).toBe('invalid_grant')
    expect(await use('made-up', 'made-up')).toBe('invalid_grant')
    expect(await use(first, first)).toBeUndefined()
    expect(await use(await sha256Hex(second), second)).toBeUndefined()
    expect(await use(third, third)).toBeUndefined()
    // Another token with the same nonce.
    expect(await use(await sha256Hex(third), third)).toBe('invalid_grant')
  })

  it('[K4] does not accept the nonce of another client', async () => {
    const other = { ...OWN_APP, client_id: 'other-app' }
    const { CLIENTS } = provider.settings()
    const service = provider.service({ CLIENTS: [...(CLIENTS as object[]), other] })
    const nonce = await challenge(service)

    const response = await exchange(service, await provider.sign({ sub, nonce }), {
      nonce,
      client_id: 'other-app',
    })

    expect(response.error).toBe('invalid_grant')
  })

  it('shows the name that the app has sent, unless the provider has signed one', async () => {
    const service = provider.service()
    const nameOf = ({ id_token = '' }: TokenResponse) => decodeJwt(id_token)['name']

    expect(nameOf(await signIn(service, { name: undefined }, { name: 'Alex Kim' }))).toBe(
      'Alex Kim',
    )
    expect(nameOf(await signIn(service, { name: undefined }))).toBe('Alex Kim')
    expect(nameOf(await signIn(service, {}, { name: 'Someone else' }))).toBe('Alice Park')
    expect(await signIn(service, {}, { name: 'x\u202ey' })).toMatchObject({
      error: 'invalid_request',
    })
  })

  it.each([
    ['an unknown provider', { provider: 'nobody' }],
    ['no provider', { provider: '' }],
    ['a provider that is not OpenID Connect', { provider: 'tiktok' }],
    ['another type of token', { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
    ['no type', { subject_token_type: '' }],
    ['another result', { requested_token_type: ID_TOKEN }],
    ['an actor', { actor_token: 'x' }],
  ])('is rejected with %s', async (_, changes) => {
    const { error } = await signIn(provider.service(), {}, changes)

    expect(['invalid_request', 'invalid_target']).toContain(error)
  })

  it('is rejected unless the settings of the provider list apps', async () => {
    const { error } = await signIn(provider.service({ AUTH_OIDC_APP_IDS: undefined }))

    expect(error).toBe('invalid_request')
  })

  it('[C1] is rejected for a client that is not registered for it, or is unknown', async () => {
    const grant_types = ['authorization_code', 'refresh_token']
    const service = provider.service({}, { grant_types })
    const token = await provider.sign({ sub })

    expect(await exchange(service, token)).toMatchObject({ error: 'unauthorized_client' })
    expect(await exchange(service, token, { client_id: 'nobody' })).toMatchObject({
      error: 'invalid_client',
    })
    const form = { client_id: OWN_APP.client_id }
    expect((await post(service, '/oidc/challenge', form)).status).toBe(400)
  })

  it('[R1] is limited like other token requests', async () => {
    const service = provider.service({
      CLIENT_RATE_LIMIT: { limit: async () => ({ success: false }) },
    })

    const form = { client_id: OWN_APP.client_id }
    expect((await post(service, '/oidc/challenge', form)).status).toBe(429)
    expect(await exchange(service, 'x')).toMatchObject({ error: 'temporarily_unavailable' })
  })

  it('is answered as unavailable while the provider’s keys cannot be read', async () => {
    const down = new AppProvider()
    const nonce = await challenge(down.service())
    const service = down.service()
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const token = await down.sign({ sub, nonce }, {}, privateKey)

    expect(await exchange(service, token, { nonce })).toMatchObject({
      error: 'temporarily_unavailable',
    })
  })
})

describe('the rules of a sign-in', () => {
  it('[S3] reject a blocked user, and their session', async () => {
    const service = provider.service()
    const userId = decodeJwt((await signIn(service)).id_token ?? '').sub ?? ''
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 1 WHERE id = ?').bind(userId).run()

    expect(await signIn(service)).toMatchObject({ error: 'access_denied' })
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = NULL WHERE id = ?')
      .bind(userId)
      .run()
    await userObject(userId).block()
    expect(await signIn(service)).toMatchObject({ error: 'access_denied' })
  })

  it('ask for a page if the app needs consent, until the user has given it', async () => {
    const service = provider.service({}, { first_party: false })

    const response = await signIn(service)

    expect(response.error).toBe('interaction_required')
    const row = await env.DIRECTORY.prepare(
      'SELECT user_id FROM accounts WHERE provider_account_id = ?',
    )
      .bind(sub)
      .first<{ user_id: string }>()
    const user = userObject(row?.user_id)
    expect((await user.readUserData()).sessions).toEqual([])
    expect(lastLogEntry('interaction_required')).toMatchObject({ clientId: 'shop-app' })
    const { results } = await env.DIRECTORY.prepare(
      'SELECT event, client FROM audit WHERE subject = ?',
    )
      .bind(row?.user_id)
      .all()
    expect(results).toEqual([{ event: 'sign_in_pending', client: 'shop-app' }])
  })

  it('ask for a page if the user has an unconfirmed way to sign in', async () => {
    const service = provider.service()
    const userId = decodeJwt((await signIn(service)).id_token ?? '').sub ?? ''
    await env.DIRECTORY.prepare(
      `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, created_at, updated_at, unconfirmed_sid)
       VALUES ('github', '', ?1, ?2, '', 0, 0, 'ses_x')`,
    )
      .bind(crypto.randomUUID(), userId)
      .run()

    expect((await signIn(service)).error).toBe('interaction_required')
  })

  it('ask for a page if a change to the account was not seen', async () => {
    const service = provider.service()
    const userId = decodeJwt((await signIn(service)).id_token ?? '').sub ?? ''
    await userObject(userId).removeMethod({
      provider: 'passkey',
      issuer: '',
      accountId: 'x',
      label: 'Phone',
    })

    expect((await signIn(service)).error).toBe('interaction_required')
  })

  it('[S1] never link by email address, verified or not', async () => {
    const email = `${crypto.randomUUID()}@mail.example`
    const service = provider.service()
    const idOf = ({ id_token = '' }: TokenResponse) => decodeJwt(id_token).sub

    const first = idOf(await signIn(service, { sub: `${sub}-1`, email, email_verified: true }))
    const second = idOf(await signIn(service, { sub: `${sub}-2`, email, email_verified: true }))
    const third = idOf(await signIn(service, { sub: `${sub}-3`, email, email_verified: false }))

    expect(new Set([first, second, third]).size).toBe(3)
  })

  it('[S1] ask for a page if a sign-in in the browser would link by email address', async () => {
    const email = `${crypto.randomUUID()}@mail.example`
    const verified = { email, email_verified: true }
    const linking = Oidc({ allowDangerousEmailAccountLinking: true })
    const service = serviceOf(
      createVestibule({ ...options, providers: [linking] }),
      provider.settings(WITHOUT_TIKTOK),
    )

    expect((await signIn(service, { ...verified, sub: `${sub}-1` })).access_token).toBeTruthy()
    expect((await signIn(service, { ...verified, sub: `${sub}-2` })).error).toBe(
      'interaction_required',
    )
    expect((await signIn(service, { ...verified, sub: `${sub}-1` })).access_token).toBeTruthy()
    const unverified = { email, email_verified: false, sub: `${sub}-3` }
    expect((await signIn(service, unverified)).access_token).toBeTruthy()
  })

  it.each([
    [true, undefined],
    [false, 'access_denied'],
    ['/account', 'interaction_required'],
  ])('include callbacks.signIn: %s', async (decision, error) => {
    const calls: unknown[] = []
    const callbacks: Callbacks = {
      signIn(input) {
        calls.push(input)
        return decision
      },
    }
    const events: string[] = []
    const vestibule = createVestibule({
      ...options,
      callbacks,
      events: {
        createUser: () => void events.push('createUser'),
        signIn: () => void events.push('signIn'),
        signInFailed: () => void events.push('signInFailed'),
      },
    })
    const service = serviceOf(vestibule, provider.settings())

    expect((await signIn(service, { name: undefined }, { name: 'Alex' })).error).toBe(error)
    expect(calls).toMatchObject([
      { user: { name: 'Alex' }, account: { provider: 'oidc' }, profile: { sub }, isNewUser: true },
    ])
    expect(calls[0]).not.toHaveProperty('profile.name')
    expect(events).toEqual(error ? ['signInFailed'] : ['createUser', 'signIn'])
  })

  it('ask for the page of a feature', async () => {
    const terms = defineFeature({
      id: 'terms',
      step: { required: async () => '/terms' },
      pages: { '/terms': { isStep: true, show: () => ({ title: 'Terms', content: 'Terms.' }) } },
    })
    const features = [...(options.features ?? []), terms]
    const service = serviceOf(createVestibule({ ...options, features }), provider.settings())

    expect((await signIn(service)).error).toBe('interaction_required')
  })

  it('keep the tokens and scopes of the provider from a sign-in in the browser', async () => {
    const service = provider.service()
    const userId = decodeJwt((await signIn(service)).id_token ?? '').sub ?? ''
    const upstream = () =>
      runInDurableObject(userObject(userId), (_, { storage }) =>
        Object.fromEntries(storage.kv.list<Record<string, unknown>>({ prefix: 'upstream:' })),
      )
    const [[key = '', record] = []] = Object.entries(await upstream())
    expect(key).not.toBe('')
    await runInDurableObject(userObject(userId), (_, { storage }) => {
      storage.kv.put(key, { ...record, scope: ['openid'], sealedTokens: 'sealed' })
    })
    const { DIRECTORY } = env
    const account = (sql: string) => DIRECTORY.prepare(`${sql} WHERE user_id = ?`).bind(userId)
    await account("UPDATE accounts SET scope = 'openid'").run()

    await signIn(service)

    expect((await upstream())[key]).toMatchObject({ scope: ['openid'], sealedTokens: 'sealed' })
    expect(await account('SELECT scope FROM accounts').first()).toEqual({ scope: 'openid' })
  })

  it('record the sign-in with its client', async () => {
    const service = provider.service()
    const userId = decodeJwt((await signIn(service)).id_token ?? '').sub ?? ''

    const { results } = await env.DIRECTORY.prepare(
      'SELECT event, client, provider FROM audit WHERE subject = ? ORDER BY id',
    )
      .bind(userId)
      .all()

    expect(results).toContainEqual({ event: 'sign_in', client: 'shop-app', provider: 'oidc' })
  })
})

async function publicKeyOf({ publicJwk }: AppProvider): Promise<CryptoKey> {
  return (await importJWK(publicJwk, 'RS256', { extractable: true })) as CryptoKey
}

/** The token with other claims, and its signature. */
function withPayload(token: string, claims: object): string {
  const [header, , signature] = token.split('.')
  const payload = btoa(JSON.stringify(claims)).replaceAll('=', '')
  return `${header}.${payload.replaceAll('+', '-').replaceAll('/', '_')}.${signature}`
}
