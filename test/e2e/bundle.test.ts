import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { BUNDLE } from '../../bench/limits.ts'
import { bundle as bundleModule } from '../../demo/bundle.ts'

describe('the deployed bundle', () => {
  const bundle = readFileSync(inject('bundle'))

  it(`is at most ${BUNDLE} KiB, compressed with gzip`, () => {
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(BUNDLE * 1024)
  })

  it('imports no modules of Node.js', () => {
    expect(bundle.toString()).not.toMatch(/from ?["']node:/)
  })
})

describe('the bundle of a deployment that imports TikTok only', () => {
  it('contains no other provider', async () => {
    const script = await bundleModule('test/tiktok-only.ts')

    // esbuild writes the path of each module before its code.
    const modules = Array.from(
      script.matchAll(/^\/\/ .*src\/providers\/(.*)\.ts$/gm),
      ([, name]) => name,
    )
    expect(modules.toSorted()).toEqual(['configure', 'tiktok', 'transient-status'])
    expect(script).not.toMatch(/accounts\.google\.com|github\.com|login\.microsoftonline/)
  })
})
