import { describe, expect, it } from 'vitest'
import { selectUnlistedRows } from '../../src/config/unlisted-features.ts'
import * as featureExports from '../../src/feature-exports.ts'

describe('a feature that a deployment does not list', () => {
  it('is named as it is imported', () => {
    const calls = selectUnlistedRows([]).matchAll(/"(\w+)\(\)"/g)

    expect(Object.keys(featureExports)).toEqual(
      expect.arrayContaining(Array.from(calls, ([, name]) => name)),
    )
  })
})
