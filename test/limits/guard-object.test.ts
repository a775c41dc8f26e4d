import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { setClock } from '../clock.ts'
import { repeatDuringAlarm } from '../storage.ts'

describe('a value that may be used once', () => {
  it('[C21][Q10] is accepted once, even while the object deletes expired values', async () => {
    const now = Math.floor(Date.now() / 1000)
    const object = env.GUARDS.get(env.GUARDS.newUniqueId())
    expect(await object.useOnce('expired', now + 1)).toBe(true)
    setClock((now + 10) * 1000)

    const results = await runInDurableObject(object, async (instance) => {
      const uses: Promise<boolean>[] = []
      await repeatDuringAlarm(instance, () => {
        uses.push(instance.useOnce('new', now + 600))
      })
      uses.push(instance.useOnce('new', now + 600))
      return Promise.all(uses)
    })

    expect(results.length).toBeGreaterThan(2)
    expect(results.filter(Boolean)).toHaveLength(1)
  })
})
