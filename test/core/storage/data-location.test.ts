import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { SCHEMA_VERSION } from '../../../src/core/storage/database.ts'
import { Browser, LOGIN, lastLogEntry, logLines, serviceWith } from '../../browser.ts'
import { forbidden } from '../../storage.ts'

/**
 * A namespace whose objects can be found only in this jurisdiction. The objects are those of the
 * tested deployment: workerd has no jurisdictions.
 */
function restrictedTo(jurisdiction: string, namespace: object) {
  const reject = () => {
    throw new Error('The object was looked up without the jurisdiction.')
  }
  return {
    idFromName: reject,
    get: reject,
    jurisdiction(name: string) {
      expect(name).toBe(jurisdiction)
      return namespace
    },
  }
}

const IN_EU = {
  AUTH_JURISDICTION: 'eu',
  USERS: restrictedTo('eu', env.USERS),
  KEYRING: restrictedTo('eu', env.KEYRING),
  GUARDS: restrictedTo('eu', env.GUARDS),
  REVOCATIONS: restrictedTo('eu', env.REVOCATIONS),
  CLIENT_METADATA: restrictedTo('eu', env.CLIENT_METADATA),
}

async function setLocation(jurisdiction: string): Promise<void> {
  await env.DIRECTORY.prepare('UPDATE object_location SET jurisdiction = ?')
    .bind(jurisdiction)
    .run()
}

function readLocation(): Promise<string | null> {
  return env.DIRECTORY.prepare('SELECT jurisdiction FROM object_location').first('jurisdiction')
}

/** A browser at a service that has no keys yet. */
function browserOfNewService(): Browser {
  const id = env.KEYRING.newUniqueId()
  const KEYRING = { idFromName: () => id, get: () => env.KEYRING.get(id) }
  return new Browser(serviceWith({ KEYRING }))
}

afterEach(() => setLocation('none'))

describe('a deployment with AUTH_JURISDICTION', () => {
  it('finds every object in the jurisdiction', async () => {
    await setLocation('eu')
    const browser = new Browser(serviceWith(IN_EU))

    await browser.signIn('mia')

    expect((await browser.session())?.token).toBeTypeOf('string')
    const readiness = await browser.get('/readyz')
    expect(readiness.status).toBe(200)
    expect(await readiness.text()).toContain(`"detail":"schema ${SCHEMA_VERSION}, objects in eu"`)
  })

  it('stores no copies of sessions in KV, which has no jurisdiction', async () => {
    await setLocation('eu')
    const browser = new Browser(serviceWith({ ...IN_EU, SESSIONS: forbidden('SESSIONS') }))
    const firstLine = logLines.length

    await browser.signIn('mia')
    const session = await browser.get('/api/auth/session?token=false')
    await browser.post('/api/auth/signout', {}, { Origin: LOGIN })

    expect(await session.json()).toMatchObject({ user: { name: expect.any(String) } })
    expect(logLines.slice(firstLine).join('\n')).not.toContain('session_copy_failed')
  })

  it('ignores it in development, because workerd has no jurisdictions', async () => {
    const AUTH_URL = 'http://localhost:8787'
    const service = serviceWith({ AUTH_URL, AUTH_JURISDICTION: 'eu' })

    const response = await new Browser(service, AUTH_URL).get('/.well-known/jwks.json')

    expect(response.status).toBe(200)
  })

  it.each(['EU', 'de', ''])('does not start with an unknown value: "%s"', async (value) => {
    const response = await new Browser(serviceWith({ AUTH_JURISDICTION: value })).get('/healthz')

    expect(response.status).toBe(500)
    expect(lastLogEntry('AUTH_JURISDICTION').cause).toEqual([expect.stringContaining('eu')])
  })
})

describe('a deployment whose AUTH_JURISDICTION was changed', () => {
  it('records where the first keys are created', async () => {
    await env.DIRECTORY.prepare('DELETE FROM object_location').run()
    await browserOfNewService().get('/.well-known/jwks.json')

    expect(await readLocation()).toBe('none')
  })

  it.each([
    ['eu', {}, 'AUTH_JURISDICTION is not set, but the objects of this deployment are in eu.'],
    [
      'none',
      IN_EU,
      'AUTH_JURISDICTION is eu, but the objects of this deployment were created without it.',
    ],
  ])('is not ready, and opens no session: objects in %s', async (location, settings, problem) => {
    await setLocation(location)
    const browser = new Browser(serviceWith(settings))

    const signIn = await browser.signIn('noah')
    const readiness = await browser.get('/readyz')

    expect(signIn.status).toBe(503)
    expect(await browser.session()).toBeNull()
    expect(readiness.status).toBe(503)
    expect(await readiness.json()).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ name: 'D1', ready: false, problem }),
      ]),
    })
  })

  it('creates no keys, until the setting is as it was', async () => {
    const browser = browserOfNewService()
    await setLocation('eu')

    const rejected = await browser.get('/.well-known/jwks.json')
    await setLocation('none')
    const accepted = await browser.get('/.well-known/jwks.json')

    expect([rejected.status, accepted.status]).toEqual([503, 200])
    expect(lastLogEntry('are in eu').cause).toContain('AUTH_JURISDICTION is not set')
  })
})
