import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { USE_LIMITS } from '../../../src/core/limits/limit-table.ts'
import { setClock } from '../../clock.ts'
import { repeatDuringAlarm } from '../../storage.ts'

describe('a value that may be used once', () => {
  it('[C21][Q10] is accepted once, even while the object deletes expired values', async () => {
    const now = Math.floor(Date.now() / 1000)
    const object = env.GUARDS.get(env.GUARDS.newUniqueId())
    expect(await object.useOnce('expired', now + 1)).toBe(true)
    setClock(now + 10)

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

describe('a guess limit', () => {
  it('rejects the eleventh wrong secret within a minute until the first of the last ten is a minute old', async () => {
    const now = Math.floor(Date.now() / 1000)
    const object = env.GUARDS.get(env.GUARDS.newUniqueId())
    const fail = async () => [...(await object.countFailure(USE_LIMITS['client secrets'], ''))]
    const waits: number[] = []
    for (let guess = 0; guess < 11; guess++) {
      setClock(now + guess)
      waits.push(...(await fail()))
    }

    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50])
    setClock(now + 200)
    expect(await fail()).toEqual([0])
  })
})
