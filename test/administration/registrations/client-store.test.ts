import { env } from 'cloudflare:workers'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { credentialIds } from '../../../src/core/registrations/credential-ids.ts'
import { RegistrationError } from '../../../src/core/registrations/registration-error.ts'
import { isClientRevoked } from '../../../src/core/revocations/client-revocations.ts'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import { logLines } from '../../browser.ts'
import { basic, formRequest } from '../../core/oidc/relying-app.ts'
import keys from '../../core/oidc/signing-keys.json'
import {
  config,
  newId,
  newIsolate,
  ORIGIN,
  redirectUri,
  withConcurrentChange,
} from '../../core/registrations/stored-clients.ts'
import { readConfig } from '../../deployment.ts'

function create(registration: Record<string, unknown> = {}) {
  const client_id = newId()
  return clientStore.create(env, config, {
    registration: { client_id, redirect_uris: [redirectUri(client_id)], ...registration },
    origin: ORIGIN,
  })
}

async function createConfidential(): Promise<{ clientId: string; clientSecret: string }> {
  const { record: client, secret: clientSecret = '' } = await create()
  return { clientId: client.id, clientSecret }
}

const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The problems of a change that is rejected. */
async function problemsOf(change: Promise<unknown>): Promise<readonly string[]> {
  const error = await change.then(() => undefined).catch((cause: unknown) => cause)
  if (error instanceof RegistrationError) {
    return [error.problems[0]?.code ?? '', ...error.problems.map(formatProblem)]
  }
  throw new Error('The change was not rejected.', { cause: error })
}

/** Whether these credentials are accepted, by an isolate that has cached nothing. */
async function isAuthentic(clientId: string, secret: string): Promise<boolean> {
  const { service } = newIsolate()
  const request = formRequest('/oidc/introspect', { token: 'x' }, basic(clientId, secret))
  return (await service(request)).status === 200
}

async function auditEvents(subject: string) {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT event, actor, request_id, detail FROM audit WHERE subject = ? ORDER BY event',
  )
    .bind(subject)
    .all()
  return results
}

describe('createClient', () => {
  it('returns a secret once, of which only the digest is stored', async () => {
    const { clientId, clientSecret } = await createConfidential()

    expect(clientSecret).toMatch(/^[\w-]{43}$/)
    expect(await isAuthentic(clientId, clientSecret)).toBe(true)
    expect(await isAuthentic(clientId, `${clientSecret}x`)).toBe(false)
    const dump = await env.DIRECTORY.prepare('SELECT * FROM clients').all()
    const audit = await env.DIRECTORY.prepare('SELECT * FROM audit').all()
    expect(JSON.stringify([dump, audit, logLines])).not.toContain(clientSecret)
    expect(JSON.stringify(await clientStore.read(env, config, clientId))).not.toMatch(
      /[0-9a-f]{64}/,
    )
  })

  it.each([
    ['public', { token_endpoint_auth_method: 'none' }],
    ['native', { application_type: 'native' }],
    ['with keys', { jwks: { keys: [{ ...keys.signer, d: undefined }] } }],
    ['with the URL of its keys', { jwks_uri: 'https://app.example/jwks' }],
    ['with digests of secrets', { client_secrets_sha256: ['0'.repeat(64)] }],
  ])('creates no secret for a client that is %s', async (_, registration) => {
    expect(await create(registration)).not.toHaveProperty('secret')
  })

  it('creates a secret for a client with an empty list of digests', async () => {
    expect(await create({ client_secrets_sha256: [] })).toHaveProperty('secret')
  })

  it('returns the registration with its defaults', async () => {
    const { record: client } = await create({
      brand_color: '#1a73e8',
      tos_uri: 'https://x.example/terms',
    })

    expect(client).toEqual({
      id: expect.any(String),
      registration: expect.objectContaining({
        brand_color: '#1a73e8',
        tos_uri: 'https://x.example/terms',
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'openid profile email offline_access',
        first_party: false,
      }),
      secretCount: 1,
      source: 'database',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    })
    expect(client.registration).not.toHaveProperty('client_secrets_sha256')
  })

  it('rejects an id that exists, in the settings or in the database', async () => {
    const { clientId } = await createConfidential()

    expect(await problemsOf(create({ client_id: clientId }))).toEqual([
      'exists',
      'client_id already exists.',
    ])
    expect(await problemsOf(create({ client_id: 'shop' }))).toEqual([
      'exists',
      'client_id is the id of a client in the settings, with another registration.',
    ])
    expect(await auditEvents(clientId)).toHaveLength(1)
  })

  it.each([
    [{ client_id: 'usr_x' }, 'client_id must not begin with usr_, like the id of a user.'],
    [{ redirect_uris: ['http://evil.example/'] }, 'redirect_uris.0 must be an https URL'],
    ...[
      ' https://x.example/',
      'https://x.example/ ',
      'https://x.example/\r\na',
      'https:\\x.example',
    ].map((uri): [Record<string, unknown>, string] => [
      { redirect_uris: [uri] },
      'redirect_uris.0 must be an https URL',
    ]),
    [
      { redirect_uris: ['https://login.example/account'] },
      'redirect_uris has an address of this service',
    ],
    [{ redirect_uris: null }, 'redirect_uris is missing: a client that signs users in needs'],
    [{ colour: 'red' }, 'colour does not exist: the names are client_name, client_id, '],
    [{ brand_color: 'red' }, 'brand_color must be a hex colour such as #1a73e8.'],
    [{ brand_color: '#12345678' }, 'brand_color must be a hex colour such as #1a73e8.'],
    [{ logo_uri: 'javascript:alert(1)' }, 'logo_uri must be an https URL'],
    [{ logo_uri: 'http://localhost/logo.png' }, 'logo_uri must not be a loopback address.'],
    [{ logo_uri: 'https://a;form-action/x.png' }, 'logo_uri must have a host of letters'],
    [{ logo_uri: 'https://a,b/x.png' }, 'logo_uri must have a host of letters'],
    [
      { client_secrets_sha256: [SHA256_OF_NOTHING] },
      'client_secrets_sha256.0 is the SHA-256 of an empty secret',
    ],
    [{ grant_types: ['implicit'] }, 'grant_types.0 must be authorization_code or'],
    [
      { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
      'grant_types has client_credentials, but this is a public client',
    ],
  ])('rejects %o', async (registration, problem) => {
    const [code, text] = await problemsOf(create(registration))

    expect(code).toMatch(/^(invalid|unknown|unlisted)$/)
    expect(text).toContain(problem)
  })

  it.each([[null], ['text'], [[]], [42]])('rejects %j, which is no registration', async (input) => {
    const [code] = await problemsOf(
      clientStore.create(env, config, { registration: input, origin: ORIGIN }),
    )

    expect(code).toBe('missing')
  })
})

describe('updateClient', () => {
  it('changes the given fields, removes those that are null, and records the names of both', async () => {
    const { record: client } = await create({
      client_name: 'Before',
      policy_uri: 'https://x.example/',
    })
    const clientId = client.id

    const { registration } = await clientStore.update(env, config, {
      id: clientId,
      changes: { client_name: 'After', policy_uri: null },
      origin: ORIGIN,
    })

    expect(registration).toMatchObject({
      client_name: 'After',
      redirect_uris: [redirectUri(clientId)],
    })
    expect(registration).not.toHaveProperty('policy_uri')
    expect(await auditEvents(clientId)).toEqual([
      { event: 'client_created', actor: ORIGIN.actor, request_id: 'req-1', detail: null },
      {
        event: 'client_updated',
        actor: ORIGIN.actor,
        request_id: 'req-1',
        detail: 'client_name policy_uri',
      },
    ])
  })

  it('loses none of three concurrent changes', async () => {
    const { clientId } = await createConfidential()
    const change = (changes: Record<string, unknown>) =>
      clientStore.update(env, config, { id: clientId, changes, origin: ORIGIN })

    await Promise.all([
      change({ client_name: 'Concurrent' }),
      change({ tos_uri: 'https://x.example/tos' }),
      change({ brand_color: '#000' }),
    ])

    expect((await clientStore.read(env, config, clientId))?.registration).toMatchObject({
      client_name: 'Concurrent',
      tos_uri: 'https://x.example/tos',
      brand_color: '#000',
    })
  })

  it('rejects changes of the id and of secrets, and an invalid result', async () => {
    const { clientId } = await createConfidential()
    const change = (changes: Record<string, unknown>) =>
      problemsOf(clientStore.update(env, config, { id: clientId, changes, origin: ORIGIN }))

    expect(await change({ client_id: 'other' })).toContain('client_id cannot be changed like this.')
    expect(await change({ client_secrets_sha256: [] })).toContain(
      'client_secrets_sha256 cannot be changed like this.',
    )
    expect(await change({ redirect_uris: [] })).toContain('redirect_uris is empty.')
    expect(await change({ __proto__: null, constructor: 1 })).toContainEqual(
      expect.stringMatching(/^constructor does not exist: /),
    )
    expect(await auditEvents(clientId)).toHaveLength(1)
  })

  it('removes the secrets of a client that becomes public, and never makes one public by removing its keys', async () => {
    const { clientId, clientSecret } = await createConfidential()
    const changes = { token_endpoint_auth_method: 'none' }

    const record = await clientStore.update(env, config, { id: clientId, changes, origin: ORIGIN })

    expect(record.secretCount).toBe(0)
    expect(await isAuthentic(clientId, clientSecret)).toBe(false)
    const { record: client } = await create({ jwks: { keys: [{ ...keys.signer, d: undefined }] } })
    const withoutKeys = clientStore.update(env, config, {
      id: client.id,
      changes: { jwks: null },
      origin: ORIGIN,
    })
    expect(await problemsOf(withoutKeys)).toContainEqual(
      expect.stringContaining('would have no credentials'),
    )
  })
})

describe('the keys of a client', () => {
  const { d: _, ...key } = keys.signer

  it.each([
    [
      'their members are in another order',
      Object.fromEntries(Object.entries(key).reverse()),
      false,
    ],
    ['unknown members are added', { ...key, key_ops: ['verify'] }, false],
    ['it gets another id', { ...key, kid: 'another' }, false],
    ['another key replaces one', { ...key, x: key.y, y: key.x }, true],
  ])('revoke its tokens only if a key is removed: %s', async (_case, changed, isRevoked) => {
    const { record } = await create({ jwks: { keys: [key] } })

    await clientStore.update(env, config, {
      id: record.id,
      changes: { jwks: { keys: [changed] } },
      origin: ORIGIN,
    })

    const [jti = ''] = await credentialIds(config, record.id, await calculateJwkThumbprint(key))
    const token = { jti, iat: record.createdAt ?? 0 }
    expect(await isClientRevoked(env, record.id, token)).toBe(isRevoked)
  })
})

describe('rotateClientSecret', () => {
  it('keeps the former secret valid until it is removed, also if a lost answer is requested again', async () => {
    const { clientId, clientSecret: first } = await createConfidential()
    const rotate = () => clientStore.rotateSecret(env, config, { id: clientId, origin: ORIGIN })
    const accepted = (secrets: string[]) =>
      Promise.all(secrets.map((secret) => isAuthentic(clientId, secret)))

    const { secret: second } = await rotate()
    expect(await accepted([first, second])).toEqual([true, true])
    const { secret: third } = await rotate()
    expect(await accepted([first, second, third])).toEqual([true, true, true])
    const { secret: fourth } = await rotate()
    expect(await accepted([first, second, third, fourth])).toEqual([false, true, true, true])
    await clientStore.removeFormerSecret(env, config, { id: clientId, origin: ORIGIN })
    expect(await accepted([second, third, fourth])).toEqual([false, false, true])
    await clientStore.removeFormerSecret(env, config, { id: clientId, origin: ORIGIN })
    expect(await accepted([fourth])).toEqual([true])
  })

  it('[C13] rejects an empty secret, whatever is stored, and replaces its digest', async () => {
    const { clientId, clientSecret } = await createConfidential()
    const change = { id: clientId, origin: ORIGIN }
    await env.DIRECTORY.prepare(
      `UPDATE clients SET registration = json_insert(registration, '$.client_secrets_sha256[#]', ?2)
       WHERE client_id = ?1`,
    )
      .bind(clientId, SHA256_OF_NOTHING)
      .run()

    expect(await isAuthentic(clientId, '')).toBe(false)
    const { secret, record } = await clientStore.rotateSecret(env, config, change)
    expect(record.secretCount).toBe(2)
    expect(await isAuthentic(clientId, secret)).toBe(true)
    expect(await isAuthentic(clientId, clientSecret)).toBe(true)
    expect(await isAuthentic(clientId, '')).toBe(false)
  })

  it('rejects a client without a secret', async () => {
    const { record: client } = await create({ token_endpoint_auth_method: 'none' })
    const clientId = client.id

    expect(
      await problemsOf(clientStore.rotateSecret(env, config, { id: clientId, origin: ORIGIN })),
    ).toEqual(['invalid', `The client ${clientId} has no secret.`])
  })
})

describe('removeSecret', () => {
  it('[G5] accepts the id that a secret had before AUTH_SECRET was replaced', async () => {
    const { clientId, clientSecret: former } = await createConfidential()
    const change = { id: clientId, origin: ORIGIN }
    const { secret: newest } = await clientStore.rotateSecret(env, config, change)
    const [, [shown = ''] = []] = await clientStore.listSecrets(env, config, clientId)
    const AUTH_SECRET = 'Zk9wQ2xV4bN7mT1yR5uE8oI3pA6sD0fG'
    const replaced = readConfig({ ...env, AUTH_SECRET, AUTH_SECRET_1: env.AUTH_SECRET } as Env)

    const record = await clientStore.removeSecret(env, replaced, { ...change, secret: shown })

    expect(record.secretCount).toBe(1)
    expect(await isAuthentic(clientId, former)).toBe(false)
    expect(await isAuthentic(clientId, newest)).toBe(true)
  })
})

describe('the clients of the settings', () => {
  it('are listed before those in the database, with the same fields', async () => {
    const { clientId } = await createConfidential()

    const clients = await clientStore.list(env, config)

    expect(clients[0]).toMatchObject({
      registration: {
        client_id: 'shop',
        token_endpoint_auth_method: 'none',
        scope: 'openid profile email offline_access',
      },
      source: 'settings',
    })
    expect(clients.map(({ source }) => source)).toEqual(
      clients.map(({ source }) => source).toSorted((a, b) => b.localeCompare(a)),
    )
    expect(clients.at(-1)?.source).toBe('database')
    expect(clients.some(({ id }) => id === clientId)).toBe(true)
    expect(JSON.stringify(clients)).not.toMatch(/[0-9a-f]{64}/)
  })

  it('can be copied, also twice, so that they stay registered without the settings', async () => {
    // Deleting it revokes its tokens, so it is a client that no other test uses.
    const id = newId()
    const registration = {
      client_id: id,
      client_name: 'The kiosk',
      redirect_uris: [redirectUri(id)],
    }
    const settings = readConfig({ ...env, CLIENTS: [registration] })
    const copy = () => clientStore.create(env, settings, { registration, origin: ORIGIN })
    await copy()
    const { record: client, secret: clientSecret } = await copy()

    expect(client.source).toBe('settings')
    expect(clientSecret).toBeUndefined()
    expect((await auditEvents(id)).map(({ detail }) => detail)).toEqual([
      'copy of the settings',
      'copy of the settings',
    ])
    expect(await clientStore.read(env, config, id)).toMatchObject({
      registration: client.registration,
      source: 'database',
    })
  })

  it('are enabled by a copy, whatever the database had before', async () => {
    const { record } = await create({ token_endpoint_auth_method: 'none' })
    const { id } = record
    await clientStore.setDisabled(env, config, { id, isDisabled: true, origin: ORIGIN })
    const registration = { client_id: id, redirect_uris: [redirectUri(id)] }
    const settings = readConfig({ ...env, CLIENTS: [registration] })

    await clientStore.create(env, settings, { registration, origin: ORIGIN })

    expect(await clientStore.read(env, config, id)).not.toHaveProperty('disabledAt')
  })

  it('cannot be changed', async () => {
    const change = { id: 'shop', origin: ORIGIN }

    for (const attempt of [
      clientStore.update(env, config, { ...change, changes: {} }),
      clientStore.setDisabled(env, config, { ...change, isDisabled: true }),
      clientStore.rotateSecret(env, config, change),
      clientStore.removeFormerSecret(env, config, change),
      clientStore.delete(env, config, change),
    ]) {
      expect((await problemsOf(attempt))[0]).toBe('read_only')
    }
  })
})

describe('a client that does not exist', () => {
  it('cannot be changed, and is deleted already', async () => {
    const change = { id: newId(), origin: ORIGIN }

    expect(await clientStore.read(env, config, change.id)).toBeUndefined()
    for (const attempt of [
      clientStore.update(env, config, { ...change, changes: {} }),
      clientStore.setDisabled(env, config, { ...change, isDisabled: true }),
      clientStore.rotateSecret(env, config, change),
    ]) {
      expect((await problemsOf(attempt))[0]).toBe('not_found')
    }
    await clientStore.delete(env, config, change)
    expect(await auditEvents(change.id)).toEqual([])
  })
})

describe('setClientDisabled', () => {
  it('records a change only if there is one', async () => {
    const { clientId } = await createConfidential()
    const disable = (isDisabled: boolean) =>
      clientStore.setDisabled(env, config, { id: clientId, isDisabled, origin: ORIGIN })

    await disable(false)
    expect(await disable(true)).toHaveProperty('disabledAt')
    expect(await disable(true)).toHaveProperty('disabledAt')
    expect(await disable(false)).not.toHaveProperty('disabledAt')

    expect((await auditEvents(clientId)).map(({ event }) => event)).toEqual([
      'client_created',
      'client_disabled',
      'client_enabled',
    ])
  })
})

describe('a client that is deleted while it is changed', () => {
  it.each<[string, (deployment: Env, clientId: string) => Promise<unknown>]>([
    [
      'updateClient',
      (deployment, clientId) =>
        clientStore.update(deployment, config, {
          id: clientId,
          changes: { client_name: 'Late' },
          origin: ORIGIN,
        }),
    ],
    [
      'setClientDisabled',
      (deployment, clientId) =>
        clientStore.setDisabled(deployment, config, {
          id: clientId,
          isDisabled: true,
          origin: ORIGIN,
        }),
    ],
    [
      'rotateClientSecret',
      (deployment, clientId) =>
        clientStore.rotateSecret(deployment, config, { id: clientId, origin: ORIGIN }),
    ],
  ])('makes %s fail with not_found, and nothing is recorded or stored', async (_, change) => {
    const { clientId } = await createConfidential()
    const deployment = withConcurrentChange(() =>
      clientStore.delete(env, config, { id: clientId, origin: ORIGIN }),
    )

    expect(await problemsOf(change(deployment, clientId))).toEqual([
      'not_found',
      `There is no client ${clientId}.`,
    ])
    expect((await auditEvents(clientId)).map(({ event }) => event)).toEqual([
      'client_created',
      'client_deleted',
    ])
    expect(await clientStore.read(env, config, clientId)).toBeUndefined()
  })
})

describe('a client that two administrators disable at the same time', () => {
  it('is disabled once, which is recorded once', async () => {
    const { clientId } = await createConfidential()
    const request = { id: clientId, isDisabled: true, origin: ORIGIN }
    const deployment = withConcurrentChange(() => clientStore.setDisabled(env, config, request))

    const { disabledAt } = await clientStore.setDisabled(deployment, config, request)

    expect(disabledAt).toBeDefined()
    expect((await auditEvents(clientId)).map(({ event }) => event)).toEqual([
      'client_created',
      'client_disabled',
    ])
  })
})
