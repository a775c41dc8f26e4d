import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, stopClock } from '../../clock.ts'
import { formRequest } from '../../core/oidc/relying-app.ts'
import {
  countFetches,
  DOCUMENT_CHANGES,
  OPEN_SETTINGS,
  openService,
  publish,
  signedIn,
  UnregisteredApp,
} from './unregistered-app.ts'

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A key pair of an app, as it is published and used. */
async function createKey(kid: string, alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, kid, alg, privateKey }
}

type Key = Awaited<ReturnType<typeof createKey>>

/** The parameters with which a client authenticates itself by a key. */
async function assertionOf(clientId: string, { alg, kid, privateKey }: Key, aud = LOGIN) {
  const client_assertion = await new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg, kid })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(aud)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(privateKey)
  return { client_assertion_type: ASSERTION_TYPE, client_assertion }
}

/** The status of a refresh request, which is 400 if only the refresh token is wrong. */
async function refreshStatus(
  app: { clientId: string },
  credentials: Record<string, string>,
  service = openService,
): Promise<number> {
  const form = { client_id: app.clientId, grant_type: 'refresh_token', refresh_token: 'rt_x' }
  return (await service(formRequest('/oidc/token', { ...form, ...credentials }))).status
}

function publishKeys(url: string, published: Key[], headers = {}): Promise<void> {
  const body = JSON.stringify({ keys: published.map(({ jwk }) => jwk) })
  return publish(url, { body, headers })
}

describe('private_key_jwt of a client with a metadata document', () => {
  it.each([
    ['RS256', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['ES256', { token_endpoint_auth_method: undefined }],
    ['PS256', { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] }],
    ['EdDSA', { token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'] }],
  ])('[C21] is required with its keys in jwks: %s', async (alg, method) => {
    const key = await createKey('one', alg)
    const app = await new UnregisteredApp().publish({ jwks: { keys: [key.jwk] }, ...method })
    const browser = await signedIn()
    const code = await app.code(browser)

    const without = await app.exchange(code)
    const tokens = await app.exchange(code, await assertionOf(app.clientId, key))
    const other = await createKey('one', alg)

    expect(without.status).toBe(401)
    expect(tokens.status).toBe(200)
    expect(await refreshStatus(app, await assertionOf(app.clientId, other))).toBe(401)
  })

  it('[C21] accepts only the issuer as audience, unless the operator decides otherwise', async () => {
    const key = await createKey('one')
    const app = await new UnregisteredApp().publish({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
    })
    const { hosts } = OPEN_SETTINGS.UNREGISTERED_CLIENTS
    const UNREGISTERED_CLIENTS = { hosts, client_assertion_audience: 'token_endpoint' }
    const assertion = () => assertionOf(app.clientId, key, `${LOGIN}/oidc/token`)
    await app.authorize(new Browser(openService))

    const strict = await refreshStatus(app, await assertion())
    const lenient = await refreshStatus(
      app,
      await assertion(),
      serviceWith({ ...OPEN_SETTINGS, UNREGISTERED_CLIENTS }),
    )

    expect([strict, lenient]).toEqual([401, 400])
  })

  it('asks for consent again when its keys are swapped between two requests', async () => {
    const [former, next] = [await createKey('one'), await createKey('one')]
    const app = await new UnregisteredApp().publish({ jwks: { keys: [former.jwk] } })
    const browser = await signedIn()
    await app.code(browser)
    advanceClock(2 * 3600)
    await app.publish({ jwks: { keys: [next.jwk] } })

    const page = await app.authorize(browser)

    expect(await page.text()).toContain('id="approve"')
  })

  it.each(DOCUMENT_CHANGES)('asks for consent again when %s', async (...given) => {
    const [, changes, parameters] = given
    const key = await createKey('one')
    const keys = { jwks: { keys: [key.jwk] }, token_endpoint_auth_method: 'private_key_jwt' }
    const app = await new UnregisteredApp().publish(keys)
    const browser = await signedIn()
    await app.code(browser)
    advanceClock(2 * HOUR)
    await app.publish({ ...keys, ...changes(app) })

    const page = await app.authorize(browser, parameters?.(app))

    expect(await page.text()).toContain('id="approve"')
  })

  it('[C21] reads jwks_uri once, and again for a key that is new, at most once a minute', async () => {
    stopClock()
    const [first, second, third] = [
      await createKey('one'),
      await createKey('two'),
      await createKey('three'),
    ]
    const app = new UnregisteredApp()
    const jwks_uri = `${app.origin}/jwks`
    await app.publish({ jwks_uri, token_endpoint_auth_method: 'private_key_jwt' })
    await publishKeys(jwks_uri, [first])
    await app.authorize(new Browser(openService))
    const status = async (key: Key) => refreshStatus(app, await assertionOf(app.clientId, key))

    expect(await status(first)).toBe(400)
    expect(await status(first)).toBe(400)
    expect(await countFetches(jwks_uri)).toBe(1)
    await publishKeys(jwks_uri, [second])
    expect(await status(second)).toBe(401)
    expect(await countFetches(jwks_uri)).toBe(1)
    advanceClock(60)
    expect(await status(second)).toBe(400)
    expect(await status(third)).toBe(401)

    expect(await countFetches(jwks_uri)).toBe(2)
  })

  it.each([
    ['an hour, if its server names no lifetime', {}, HOUR],
    ['a day at most', { 'Cache-Control': 'max-age=31536000' }, DAY],
    ['a minute at least', { 'Cache-Control': 'no-store' }, MINUTE],
  ])(
    '[C21] accepts a key that was withdrawn from jwks_uri for %s',
    async (_, headers, lifetime) => {
      stopClock()
      const [withdrawn, next] = [await createKey('one'), await createKey('two')]
      const app = new UnregisteredApp()
      const jwks_uri = `${app.origin}/jwks`
      await app.publish({ jwks_uri, token_endpoint_auth_method: 'private_key_jwt' })
      await publishKeys(jwks_uri, [withdrawn, next], headers)
      await app.authorize(new Browser(openService))
      const status = async (key: Key) => refreshStatus(app, await assertionOf(app.clientId, key))
      expect(await status(withdrawn)).toBe(400)
      await publishKeys(jwks_uri, [next], headers)

      advanceClock(lifetime - MINUTE)
      const before = await status(withdrawn)
      // An isolate uses what it has read for another minute.
      advanceClock(2 * MINUTE)
      const after = [await status(withdrawn), await status(next)]

      expect([before, ...after]).toEqual([400, 401, 400])
    },
  )

  it.each([
    'https://127.0.0.1/jwks',
    'https://keys.internal/jwks',
    `${LOGIN}/.well-known/jwks.json`,
  ])('[P2] does not read keys from %s', async (jwks_uri) => {
    const app = await new UnregisteredApp().publish({
      jwks_uri,
      token_endpoint_auth_method: 'private_key_jwt',
    })
    await app.authorize(new Browser(openService))

    const status = await refreshStatus(app, await assertionOf(app.clientId, await createKey('one')))

    expect(status).toBe(401)
    expect(lastLogEntry('invalid_client').cause).toContain('not a public https URL')
  })
})

describe('jwks_uri of a registered client', () => {
  const CLIENT = { client_id: 'rotating', redirect_uris: ['https://rotating.example/'] }

  it('[C21] is read like that of a metadata document', async () => {
    const key = await createKey('one')
    const jwks_uri = `${new UnregisteredApp().origin}/jwks`
    await publishKeys(jwks_uri, [key])
    const service = serviceWith({ CLIENTS: [{ ...CLIENT, jwks_uri }] })
    const app = { clientId: CLIENT.client_id }

    const valid = await refreshStatus(app, await assertionOf('rotating', key), service)
    const none = await refreshStatus(app, {}, service)
    const other = await createKey('one')
    const forged = await refreshStatus(app, await assertionOf('rotating', other), service)

    expect([valid, none, forged]).toEqual([400, 401, 401])
    expect(await countFetches(jwks_uri)).toBe(1)
  })

  it('[C21] is not read in place of another one that was configured at the same time', async () => {
    const [former, next] = [await createKey('one'), await createKey('one')]
    const { origin } = new UnregisteredApp()
    await publishKeys(`${origin}/former`, [former])
    await publishKeys(`${origin}/next`, [next])
    const client = { ...CLIENT, client_id: 'moving' }
    const status = async (path: string, key: Key) => {
      const service = serviceWith({ CLIENTS: [{ ...client, jwks_uri: `${origin}${path}` }] })
      return refreshStatus({ clientId: 'moving' }, await assertionOf('moving', key), service)
    }

    const forged = await Promise.all([status('/former', former), status('/next', former)])

    expect(forged[1]).not.toBe(400)
    expect(await countFetches(`${origin}/next`)).toBe(1)
    expect(await status('/next', next)).toBe(400)
    expect(await status('/former', former)).toBe(400)
  })

  it('[C21] has keys of other kinds, which are ignored, but no private key', async () => {
    const [encryption, signing] = [await createKey('one', 'RS256'), await createKey('two')]
    const jwks_uri = `${new UnregisteredApp().origin}/jwks`
    const unusable = [
      { ...encryption.jwk, use: 'enc' },
      { kty: 'EC', crv: 'P-521', kid: 'three' },
    ]
    const service = serviceWith({ CLIENTS: [{ ...CLIENT, client_id: 'mixed', jwks_uri }] })
    const status = async (key: Key) =>
      refreshStatus({ clientId: 'mixed' }, await assertionOf('mixed', key), service)
    const body = (keys: object[]) => ({ body: JSON.stringify({ keys }) })
    stopClock()

    await publish(jwks_uri, body([...unusable, signing.jwk]))
    expect([await status(signing), await status(encryption)]).toEqual([400, 401])

    const secret = { ...(await exportJWK(encryption.privateKey)), kid: 'four' }
    await publish(jwks_uri, body([signing.jwk, secret]))
    advanceClock(2 * HOUR)
    expect(await status(signing)).toBe(401)
    expect(lastLogEntry('invalid_client').cause).toContain('private key')
  })

  it('[C21] is used for a day after it was read, while its server does not respond', async () => {
    stopClock()
    const key = await createKey('one')
    const jwks_uri = `${new UnregisteredApp().origin}/jwks`
    await publishKeys(jwks_uri, [key])
    const service = serviceWith({ CLIENTS: [{ ...CLIENT, client_id: 'outage', jwks_uri }] })
    const status = async () =>
      refreshStatus({ clientId: 'outage' }, await assertionOf('outage', key), service)
    expect(await status()).toBe(400)
    await publish(jwks_uri, { status: 429 })

    advanceClock(DAY - MINUTE)
    expect(await status()).toBe(400)
    advanceClock(MINUTE)
    expect(await status()).toBe(503)
  })

  it('[C21][R1] leads to 503 if it cannot be read, which is tried once a minute', async () => {
    stopClock()
    const key = await createKey('one')
    const jwks_uri = `${new UnregisteredApp().origin}/jwks`
    await publish(jwks_uri, { status: 500 })
    const service = serviceWith({ CLIENTS: [{ ...CLIENT, client_id: 'down', jwks_uri }] })
    const status = async () =>
      refreshStatus({ clientId: 'down' }, await assertionOf('down', key), service)

    expect([await status(), await status()]).toEqual([503, 503])
    expect(await countFetches(jwks_uri)).toBe(1)
    await publishKeys(jwks_uri, [key])
    advanceClock(60)
    expect(await status()).toBe(400)
  })
})
