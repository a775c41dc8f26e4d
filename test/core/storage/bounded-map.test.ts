import { expect, it } from 'vitest'
import { BoundedMap } from '../../../src/core/storage/bounded-map.ts'

it('A bounded map drops the entry that was set first', () => {
  const map = new BoundedMap<string, number>(2)
  for (const [key, value] of Object.entries({ a: 1, b: 2 })) map.set(key, value)

  map.set('a', 3).set('c', 4)

  expect(Object.fromEntries(map)).toEqual({ a: 3, c: 4 })
})
