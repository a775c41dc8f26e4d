import { describe, expect, it } from 'vitest'
import { selectUnlistedRows } from '../../src/core/config/unlisted-features.ts'
import * as featureExports from '../../src/features.ts'

describe('a feature that a deployment does not list', () => {
  it('is named as it is imported', () => {
    const calls = selectUnlistedRows([]).matchAll(/"(\w+)\(\)"/g)

    expect(Object.keys(featureExports)).toEqual(
      expect.arrayContaining(Array.from(calls, ([, name]) => name)),
    )
  })
})
