import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { bundle as bundleModule } from '../../demo/bundle.ts'

/**
 * Notices code that is bundled by mistake. The limit that protects the cold start is lower, and exceeded: see
 * docs/performance.md.
 */
const MAX_SIZE = 150 // KiB

describe('the deployed bundle', () => {
  const bundle = readFileSync(inject('bundle'))

  it(`is at most ${MAX_SIZE} KiB, compressed with gzip`, () => {
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(MAX_SIZE * 1024)
  })

  it('imports no modules of Node.js', () => {
    expect(bundle.toString()).not.toMatch(/from ?["']node:/)
  })
})

describe("the bundle of this repository's deployment", () => {
  it('contains no code of sign-in with email or credentials', async () => {
    const [ours, demo] = await Promise.all([
      bundleModule('src/index.ts'),
      bundleModule('demo/login/index.ts'),
    ])

    const folders = (script: string) =>
      new Set(
        Array.from(script.matchAll(/^\/\/ .*src\/signin\/([\w-]+)\//gm), ([, folder]) => folder),
      )
    expect(folders(ours)).toEqual(new Set())
    expect(folders(demo)).toContain('email')
    expect(ours).not.toMatch(/api\.resend\.com|postmarkapp|amazonaws|sendVerificationRequest/)
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
