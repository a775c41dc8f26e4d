import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
})

describe('what must happen once', () => {
  it('[C21][Q10] happens once while what is old is being forgotten', async () => {
    const now = Math.floor(Date.now() / 1000)
    const object = env.GUARDS.get(env.GUARDS.newUniqueId())
    expect(await object.useOnce('old', now + 1)).toBe(true)
    vi.useFakeTimers({ now: (now + 10) * 1000, toFake: ['Date'] })

    const answers = await runInDurableObject(object, async (instance) => {
      const answers: Promise<boolean>[] = []
      let isEmpty = false
      const emptying = instance.alarm().then(() => {
        isEmpty = true
      })
      while (!isEmpty) {
        answers.push(instance.useOnce('new', now + 600))
        await Promise.resolve()
      }
      await emptying
      answers.push(instance.useOnce('new', now + 600))
      return Promise.all(answers)
    })

    expect(answers.length).toBeGreaterThan(2)
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})
