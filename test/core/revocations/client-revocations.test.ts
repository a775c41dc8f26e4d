import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { revokeTokens } from '../../../src/administration/registrations/revoke-tokens.ts'
import { isClientKnownAsRevoked } from '../../../src/core/revocations/client-revocations.ts'
import { nowInSeconds } from '../../../src/foundation/values/clock.ts'
import { Browser, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { basic, bearer, formRequest, signedInToApp } from '../oidc/relying-app.ts'
import { config } from '../registrations/stored-clients.ts'

describe('the tokens of a client that another isolate has disabled', () => {
  it('[G1][H1] are rejected by userinfo within fifteen seconds, and inactive at once', async () => {
    stopClock()
    const service = serviceWith({})
    const { tokens } = await signedInToApp('web')
    const readStatus = async () => {
      const response = await new Browser(service).get('/oidc/userinfo', bearer(tokens.access_token))
      return response.status
    }
    const introspect = async () => {
      const form = { token: tokens.access_token }
      return (await service(formRequest('/oidc/introspect', form, basic('web')))).json()
    }
    expect([await readStatus(), await introspect()]).toMatchObject([200, { active: true }])

    await revokeTokens(env, config, ['web'], 'disabled')
    advanceClock(4)
    expect([await readStatus(), await introspect()]).toEqual([200, { active: false }])
    advanceClock(11)

    expect(await readStatus()).toBe(401)
  })
})

describe('an isolate that revokes the tokens of a client', () => {
  it('[G1] knows it at once', async () => {
    const clientId = crypto.randomUUID()
    const isRevoked = () =>
      isClientKnownAsRevoked(env, config, { clientId, claims: { iat: nowInSeconds() } })
    const before = await isRevoked()

    await revokeTokens(env, config, [clientId], 'disabled')

    expect([before, await isRevoked()]).toEqual([false, true])
  })
})
