import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { bundle as bundleModule } from '../../demo/bundle.ts'

/**
 * Notices code that is bundled by mistake. The limit that protects the cold start is lower, and exceeded: see
 * docs/performance.md.
 */
const MAX_SIZE = 195 // KiB

describe('the deployed bundle', () => {
  const bundle = readFileSync(inject('bundle'))

  it(`is at most ${MAX_SIZE} KiB, compressed with gzip`, () => {
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(MAX_SIZE * 1024)
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
    expect(modules.toSorted()).toEqual(['configure', 'logo', 'tiktok', 'transient-status'])
    expect(script).not.toMatch(/accounts\.google\.com|github\.com|login\.microsoftonline/)
  })
})

describe('the languages of the pages', () => {
  it('are evaluated when a page is displayed in them, except English', async () => {
    const script = await bundleModule('src/index.ts')

    // esbuild wraps a module that is imported dynamically into a function, and calls it at the import.
    const wrapped = Array.from(
      script.matchAll(/"src\/pages\/messages\/(.*)\.ts"\(\)/g),
      ([, name]) => name,
    )
    const names = 'ar de es fr hi id it ja ko pt-br zh-hans'.split(' ')
    expect(wrapped.toSorted()).toEqual(names)
    for (const name of names) {
      expect(script).not.toMatch(new RegExp(`^init_${name.replace('-', '_')}\\(`, 'm'))
    }
  })
})
