import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, inject, it } from 'vitest'
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
  const folder = mkdtempSync(join(tmpdir(), 'only-tiktok-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('contains no other provider', async () => {
    const entry = join(folder, 'index.ts')
    writeFileSync(
      entry,
      `import { createVestibule } from '${resolve('src/vestibule.ts')}'
       import { TikTok } from '${resolve('src/providers/index.ts')}'
       export const { worker, objects } = createVestibule({ providers: [TikTok] })`,
    )

    const script = await bundleModule(entry)

    // esbuild writes the path of each module before its code.
    const modules = Array.from(
      script.matchAll(/^\/\/ .*src\/providers\/(.*)\.ts$/gm),
      ([, name]) => name,
    )
    expect(modules.toSorted()).toEqual(['configure', 'tiktok', 'transient-status'])
    expect(script).not.toMatch(/accounts\.google\.com|github\.com|login\.microsoftonline/)
  })
})
