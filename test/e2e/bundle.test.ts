import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { BUNDLE } from '../../bench/limits.ts'

describe('the deployed bundle', () => {
  const bundle = readFileSync(inject('bundle'))

  it(`is at most ${BUNDLE} KiB, compressed with gzip`, () => {
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(BUNDLE * 1024)
  })

  it('imports no modules of Node.js', () => {
    expect(bundle.toString()).not.toMatch(/from ?["']node:/)
  })
})
