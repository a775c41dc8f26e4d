import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sendCounts } from '../../../src/core/metrics/count.ts'
import { serviceWith, standIn, TOKEN_PATH } from '../../browser.ts'
import { readConfig } from '../../deployment.ts'
import { browserOf, type Readiness, readReadiness } from '../../read-readiness.ts'
import { unreachable } from '../../storage.ts'
import { failToReport } from './fail-to-report.ts'

describe('GET /readyz', () => {
  it('returns 200 with what the feature checks', async () => {
    const { response, body } = await readReadiness({})

    expect(response.status).toBe(200)
    expect(body.checks).toEqual(
      expect.arrayContaining([
        { name: 'binding METRICS', ready: true },
        { name: 'credentials', ready: true },
        { name: 'schedule', ready: true },
      ]),
    )
  })
})

describe('GET /readyz of a service in development', () => {
  it('says that no Cron Trigger runs, and which command runs the schedule once', async () => {
    const service = serviceWith({ AUTH_URL: 'http://localhost:8787' })
    const response = await service(new Request('http://localhost:8787/readyz'))

    const { checks } = await response.json<Readiness>()

    expect(checks).toContainEqual({
      name: 'schedule',
      ready: true,
      detail: 'no Cron Trigger runs in development: npx vestibule-auth schedule',
    })
  })
})

describe('GET /readyz after a provider has rejected our credentials', () => {
  const WRONG = { AUTH_TIKTOK_SECRET: 'Wrong5cV8bM2kL7qW4eR9tY1uI6oP3a' }
  const PROBLEM = 'The credentials of this service are rejected by tiktok (invalid_client).'
  const OTHER_METHOD = {
    AUTH_OIDC_ID: 'our-client',
    AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
    AUTH_OIDC_ISSUER: 'https://op.example',
  }

  async function checkCredentials(settings: Record<string, unknown>) {
    const { response, body } = await readReadiness(settings)
    return {
      status: response.status,
      check: body.checks.find(({ name }) => name === 'credentials'),
    }
  }

  it.each([
    ['in the same isolate, before it has reported its counts', async () => {}],
    ['in another isolate', () => sendCounts(env, readConfig(env))],
  ])('warns while another method is left, %s', async (_, report) => {
    await browserOf({ ...WRONG, ...OTHER_METHOD }).signIn('mia')
    await report()

    expect(await checkCredentials({ ...WRONG, ...OTHER_METHOD })).toEqual({
      status: 200,
      check: {
        name: 'credentials',
        ready: true,
        problem: PROBLEM,
        fix: expect.stringContaining('AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET'),
      },
    })
  })

  it('returns 503 if there is no other method', async () => {
    await browserOf(WRONG).signIn('mia')

    expect(await checkCredentials({ ...WRONG, AUTH_OIDC_ID: undefined })).toMatchObject({
      status: 503,
      check: { ready: false, problem: PROBLEM },
    })
  })

  it.each([
    [{ body: { error: 'incorrect_client_credentials' } }, 'incorrect_client_credentials'],
    [{ body: { error: 'bad_client_secret' } }, 'bad_client_secret'],
    [{ body: { error: 'invalid_client_id' } }, 'invalid_client_id'],
    [{ status: 401, body: '', contentType: 'text/plain' }, 'status 401'],
  ])('names the error of the provider: %j', async (fault, error) => {
    await standIn.fault({ path: TOKEN_PATH, status: 400, ...fault })
    await browserOf({}).signIn('mia')
    await sendCounts(env, readConfig(env))

    const { check } = await checkCredentials({})
    // The credentials are those of other tests.
    await browserOf({}).signIn('mia')
    await sendCounts(env, readConfig(env))

    expect(check?.problem).toContain(`rejected by tiktok (${error})`)
  })

  it('forgets it once the credentials have been replaced', async () => {
    await browserOf(WRONG).signIn('mia')
    await sendCounts(env, readConfig(env))

    expect(await checkCredentials({})).toEqual({
      status: 200,
      check: { name: 'credentials', ready: true },
    })
  })

  it('forgets it once the provider accepts the same credentials', async () => {
    await standIn.fault({ path: TOKEN_PATH, body: { error: 'invalid_client' } })
    await browserOf({}).signIn('mia')
    await sendCounts(env, readConfig(env))
    const rejected = await checkCredentials({})
    await browserOf({}).signIn('mia')
    await sendCounts(env, readConfig(env))

    expect(rejected.check).toMatchObject({ problem: PROBLEM })
    expect((await checkCredentials({})).check).toEqual({ name: 'credentials', ready: true })
  })

  it('forgets it once the provider accepts them, also if the report about the rejection failed', async () => {
    await standIn.fault({ path: TOKEN_PATH, body: { error: 'invalid_client' } })
    await browserOf({}).signIn('mia')
    await failToReport()

    expect((await checkCredentials({})).check).toMatchObject({ problem: PROBLEM })
    await browserOf({}).signIn('mia')
    await failToReport()
    await sendCounts(env, readConfig(env))

    expect((await checkCredentials({})).check).toEqual({ name: 'credentials', ready: true })
  })

  it('does not report an invalid code, or an error that a browser brings to the callback', async () => {
    await standIn.fault({ path: TOKEN_PATH, body: { error: 'invalid_grant' } })
    await browserOf({}).signIn('mia')
    const browser = browserOf({})
    const state = new URL(await browser.start()).searchParams.get('state')
    await browser.get(`/api/auth/callback/tiktok?error=invalid_client&state=${state}`)

    expect((await checkCredentials({})).check).toEqual({ name: 'credentials', ready: true })
  })

  it('does not report an error about a client that the provider has authenticated', async () => {
    await standIn.fault({ path: TOKEN_PATH, body: { error: 'unauthorized_client' } })
    await browserOf({}).signIn('mia')

    expect(await checkCredentials({ AUTH_OIDC_ID: undefined })).toEqual({
      status: 200,
      check: { name: 'credentials', ready: true },
    })
  })

  it('is not affected by an object of the metrics that does not respond', async () => {
    const settings = { METRICS: unreachable(env.METRICS as unknown as typeof env.USERS) }

    expect(await checkCredentials(settings)).toEqual({
      status: 200,
      check: { name: 'credentials', ready: true },
    })
  })
})
