import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, inject, it } from 'vitest'

/** The more there is to load, the longer the first visitor waits. */
const HEAVIEST = 60 * 1024

it('weighs little, and needs nothing of Node', () => {
  const bundle = readFileSync(inject('bundle'))

  expect(gzipSync(bundle).length).toBeLessThanOrEqual(HEAVIEST)
  expect(bundle.toString()).not.toMatch(/from ?["']node:/)
})
