import { describe, expect, it } from 'vitest'
import { advanceClock, stopClock } from '../../clock.ts'
import { isolateWith, newKeyring, REVOCATION } from '../../keyring-isolates.ts'
import { connectMachine } from './machine-client.ts'

describe('a revocation of the keys', () => {
  it('takes effect within five seconds at the admin API of every isolate', async () => {
    stopClock()
    const keyring = newKeyring()
    const [revoking, other] = [isolateWith(keyring), isolateWith(keyring)]
    const { call } = await connectMachine({}, other.service)
    expect((await call('/clients')).status).toBe(200)
    await revoking.rotate(REVOCATION)

    advanceClock(5)

    expect((await call('/clients')).status).toBe(404)
  })
})
