import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  createApi,
  deleteApi,
  listApis,
  readApi,
  removeFormerApiSecret,
  rotateApiSecret,
  updateApi,
} from '../../src/registrations/manage-apis.ts'
import { config, newId, ORIGIN, withConcurrentChange } from './stored-clients.ts'

function create(fields: Record<string, unknown> = {}) {
  const registration = { identifier: `https://${newId('api')}.example`, name: 'Orders', ...fields }
  return createApi(env, config, { registration, origin: ORIGIN })
}

describe('an API in the database', () => {
  it('gets a secret, which is returned once, unless its registration has digests of secrets', async () => {
    const { api, apiSecret = '' } = await create()
    const withDigests = await create({ secrets_sha256: [] })

    expect(apiSecret).toMatch(/^[\w-]{43}$/)
    expect(api).toMatchObject({ secretCount: 1, source: 'database' })
    expect(withDigests).not.toHaveProperty('apiSecret')
    const { results } = await env.DIRECTORY.prepare('SELECT * FROM apis').all()
    expect(JSON.stringify([results, await listApis(env, config)])).not.toContain(apiSecret)
    expect(JSON.stringify(await listApis(env, config))).not.toMatch(/[0-9a-f]{64}/)
  })

  it('is changed, rotated and deleted, each with an entry in the audit log', async () => {
    const { api } = await create()
    const { identifier } = api.registration
    const change = { identifier, origin: ORIGIN }

    const updated = await updateApi(env, config, { ...change, changes: { name: null } })
    await rotateApiSecret(env, config, change)

    expect(updated.registration).not.toHaveProperty('name')
    expect(await readApi(env, config, identifier)).toMatchObject({ secretCount: 2 })
    await deleteApi(env, config, change)
    await deleteApi(env, config, change)
    expect(await readApi(env, config, identifier)).toBeUndefined()
    const { results } = await env.DIRECTORY.prepare(
      'SELECT event FROM audit WHERE subject = ? ORDER BY event',
    )
      .bind(identifier)
      .all()
    expect(results.map(({ event }) => event)).toEqual([
      'api_created',
      'api_deleted',
      'api_secret_rotated',
      'api_updated',
    ])
  })

  it('cannot be registered twice, nor changed if it does not exist', async () => {
    const { api } = await create()
    const { identifier } = api.registration

    await expect(create({ identifier })).rejects.toMatchObject({ problems: [{ code: 'exists' }] })
    await expect(create({ identifier: 'https://legacy.example' })).rejects.toMatchObject({
      problems: [{ code: 'exists' }],
    })
    const unknown = { identifier: 'https://unknown.example', origin: ORIGIN }
    await expect(updateApi(env, config, { ...unknown, changes: {} })).rejects.toMatchObject({
      problems: [{ code: 'not_found' }],
    })
    const changes = { secrets_sha256: [] }
    await expect(
      updateApi(env, config, { identifier, changes, origin: ORIGIN }),
    ).rejects.toMatchObject({ problems: [{ code: 'invalid' }] })
  })
})

describe('removeFormerApiSecret', () => {
  it('is recorded only if there was a former secret', async () => {
    const { identifier } = (await create()).api.registration
    const change = { identifier, origin: ORIGIN }
    await removeFormerApiSecret(env, config, change)
    await rotateApiSecret(env, config, change)
    await removeFormerApiSecret(env, config, change)

    const { results } = await env.DIRECTORY.prepare(
      "SELECT detail FROM audit WHERE subject = ? AND event = 'api_secret_rotated' ORDER BY detail",
    )
      .bind(identifier)
      .all()
    expect(results).toEqual([{ detail: null }, { detail: 'former secret removed' }])
  })
})

describe('an API that is deleted while it is changed', () => {
  it.each<[string, (deployment: Env, identifier: string) => Promise<unknown>]>([
    [
      'updateApi',
      (deployment, identifier) =>
        updateApi(deployment, config, { identifier, changes: { name: 'Late' }, origin: ORIGIN }),
    ],
    [
      'rotateApiSecret',
      (deployment, identifier) =>
        rotateApiSecret(deployment, config, { identifier, origin: ORIGIN }),
    ],
  ])('makes %s fail with not_found, and nothing is recorded or stored', async (_, change) => {
    const { identifier } = (await create()).api.registration
    const deployment = withConcurrentChange(() =>
      deleteApi(env, config, { identifier, origin: ORIGIN }),
    )

    await expect(change(deployment, identifier)).rejects.toMatchObject({
      problems: [{ code: 'not_found' }],
    })

    const { results } = await env.DIRECTORY.prepare(
      'SELECT event FROM audit WHERE subject = ? ORDER BY event',
    )
      .bind(identifier)
      .all()
    expect(results.map(({ event }) => event)).toEqual(['api_created', 'api_deleted'])
    expect(await readApi(env, config, identifier)).toBeUndefined()
  })
})

describe('the APIs of the settings and of this service', () => {
  it('are listed first, and cannot be changed', async () => {
    await create()

    const apis = await listApis(env, config)

    expect(apis.slice(0, 2)).toMatchObject([
      { registration: { identifier: 'https://login.example/admin/api' }, source: 'settings' },
      { registration: { identifier: 'https://legacy.example' }, source: 'settings' },
    ])
    expect(await readApi(env, config, 'https://legacy.example')).toEqual(apis[1])
    for (const identifier of ['https://login.example/admin/api', 'https://legacy.example']) {
      const change = { identifier, origin: ORIGIN }
      for (const attempt of [
        updateApi(env, config, { ...change, changes: {} }),
        rotateApiSecret(env, config, change),
        removeFormerApiSecret(env, config, change),
        deleteApi(env, config, change),
      ]) {
        await expect(attempt).rejects.toMatchObject({ problems: [{ code: 'read_only' }] })
      }
    }
  })
})
