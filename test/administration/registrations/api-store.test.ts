import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import {
  config,
  newId,
  ORIGIN,
  withConcurrentChange,
} from '../../core/registrations/stored-clients.ts'

function create(fields: Record<string, unknown> = {}) {
  const registration = { identifier: `https://${newId('api')}.example`, name: 'Orders', ...fields }
  return apiStore.create(env, config, { registration, origin: ORIGIN })
}

describe('an API in the database', () => {
  it('is changed and deleted, each with an entry in the audit log', async () => {
    const { id: identifier } = (await create()).record
    const change = { id: identifier, origin: ORIGIN }

    const updated = await apiStore.update(env, config, { ...change, changes: { name: null } })

    expect(updated.registration).not.toHaveProperty('name')
    await apiStore.delete(env, config, change)
    await apiStore.delete(env, config, change)
    expect(await apiStore.read(env, config, identifier)).toBeUndefined()
    const { results } = await env.DIRECTORY.prepare(
      'SELECT event FROM audit WHERE subject = ? ORDER BY event',
    )
      .bind(identifier)
      .all()
    expect(results.map(({ event }) => event)).toEqual(['api_created', 'api_deleted', 'api_updated'])
  })

  it('cannot be registered twice, nor changed if it does not exist', async () => {
    const { id: identifier } = (await create()).record

    await expect(create({ identifier })).rejects.toMatchObject({ problems: [{ code: 'exists' }] })
    await expect(create({ identifier: 'https://legacy.example' })).rejects.toMatchObject({
      problems: [{ code: 'exists' }],
    })
    const unknown = { id: 'https://unknown.example', origin: ORIGIN }
    await expect(apiStore.update(env, config, { ...unknown, changes: {} })).rejects.toMatchObject({
      problems: [{ code: 'not_found' }],
    })
    const changes = { identifier: 'https://other.example' }
    await expect(
      apiStore.update(env, config, { id: identifier, changes, origin: ORIGIN }),
    ).rejects.toMatchObject({ problems: [{ code: 'invalid' }] })
  })
})

describe('an API that is deleted while it is changed', () => {
  it('makes the change fail with not_found, and nothing is recorded or stored', async () => {
    const { id } = (await create()).record
    const deployment = withConcurrentChange(() =>
      apiStore.delete(env, config, { id, origin: ORIGIN }),
    )
    const change = apiStore.update(deployment, config, {
      id,
      changes: { name: 'Late' },
      origin: ORIGIN,
    })

    await expect(change).rejects.toMatchObject({ problems: [{ code: 'not_found' }] })

    const { results } = await env.DIRECTORY.prepare(
      'SELECT event FROM audit WHERE subject = ? ORDER BY event',
    )
      .bind(id)
      .all()
    expect(results.map(({ event }) => event)).toEqual(['api_created', 'api_deleted'])
    expect(await apiStore.read(env, config, id)).toBeUndefined()
  })
})

describe('the APIs of the settings', () => {
  it('are listed first, and cannot be changed', async () => {
    await create()

    const apis = await apiStore.list(env, config)

    expect(apis[0]).toMatchObject({
      registration: { identifier: 'https://legacy.example' },
      source: 'settings',
    })
    expect(await apiStore.read(env, config, 'https://legacy.example')).toEqual(apis[0])
    const change = { id: 'https://legacy.example', origin: ORIGIN }
    for (const attempt of [
      apiStore.update(env, config, { ...change, changes: {} }),
      apiStore.delete(env, config, change),
    ]) {
      await expect(attempt).rejects.toMatchObject({ problems: [{ code: 'read_only' }] })
    }
  })
})
