import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  blockUser,
  readUserDetails,
  unblockUser,
} from '../../src/features/admin/users/manage-users.ts'
import { LOGIN } from '../browser.ts'
import { readConfig } from '../deployment.ts'
import {
  AppProvider,
  challenge,
  exchange,
  OWN_APP,
  post,
} from '../features/native-apps/native-app.ts'
import { level } from '../soak/level.ts'

const config = readConfig(env)
const origin = { actor: 'usr_admin' }

/** A user of an app, who can sign in to it again and again. */
async function createAppUser() {
  const provider = await new AppProvider().start()
  const service = provider.service()
  const sub = `user-${crypto.randomUUID()}`
  const prepareToken = async () => {
    const nonce = await challenge(service)
    return { nonce, token: await provider.sign({ sub, nonce }) }
  }
  const signIn = ({ nonce, token }: Awaited<ReturnType<typeof prepareToken>>) =>
    exchange(service, token, { nonce })
  const { access_token } = await signIn(await prepareToken())
  const readUserinfo = (token = '') =>
    service(
      new Request(`${LOGIN}/oidc/userinfo`, { headers: { Authorization: `Bearer ${token}` } }),
    )
  const { sub: userId } = await (await readUserinfo(access_token)).json<{ sub: string }>()
  const refresh = (refresh_token = '') =>
    post(service, '/oidc/token', {
      grant_type: 'refresh_token',
      client_id: OWN_APP.client_id,
      refresh_token,
    })
  return { userId, prepareToken, signIn, readUserinfo, refresh }
}

describe('blocking a user while their app signs them in', () => {
  it(`[S3] leaves nothing that works, in each of ${level.block} rounds`, async () => {
    for (let round = 0; round < level.block; round++) {
      const { userId, prepareToken, signIn, readUserinfo, refresh } = await createAppUser()
      const tokens = await Promise.all(Array.from({ length: 8 }, prepareToken))

      const inFlight = tokens.map(signIn)
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 40))
      await blockUser(env, config, { userId, origin })
      const responses = await Promise.all(inFlight)

      const errors = responses.map(({ error }) => error).filter((error) => error !== undefined)
      expect(['access_denied', 'invalid_grant']).toEqual(
        expect.arrayContaining([...new Set(errors)]),
      )
      for (const { access_token, refresh_token } of responses) {
        expect((await readUserinfo(access_token)).status).toBe(401)
        expect((await refresh(refresh_token)).status).toBe(400)
      }
      expect(await signIn(await prepareToken())).toMatchObject({ error: 'access_denied' })
      expect(await readUserDetails(env, config, userId)).toMatchObject({ sessions: [], grants: [] })
      await unblockUser(env, config, { userId, origin })
      expect(await signIn(await prepareToken())).toHaveProperty('refresh_token')
    }
  })
})
