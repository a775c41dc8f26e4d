import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { describe, expect, inject, it } from 'vitest'
import { LOCAL_PROVIDERS_SIZE } from '../../bench/limits.ts'
import { createLanguages } from '../../src/core/messages/languages.ts'
import { featureTexts } from '../../src/feature-texts.ts'
import { bundle as bundleModule } from '../../src/libraries/testing/bundle.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('the deployed bundle', () => {
  const bundle = readFileSync(inject('bundle'))

  it('creates no error while it is evaluated: for its stack, V8 would parse the whole bundle once more', async () => {
    const runtime = new Miniflare(
      convertV4MiniflareOptions({
        compatibilityDate: '2026-09-01',
        modulesRoot: '/',
        modules: [
          { type: 'ESModule', path: '/main.js', contents: REPORT_ERRORS },
          { type: 'ESModule', path: '/record-errors.js', contents: RECORD_ERRORS },
          { type: 'ESModule', path: '/bundle.js', contents: bundle.toString() },
          ...textModules().map((name) => ({
            type: 'Text' as const,
            path: `/${name}`,
            contents: readFileSync(join(dirname(inject('bundle')), name), 'utf8'),
          })),
        ],
        cf: false,
      }),
    )
    try {
      const response = await runtime.dispatchFetch('http://localhost/')

      expect(await response.json()).toEqual([])
    } finally {
      await runtime.dispose()
    }
  })
})

/** The texts and scripts that are uploaded next to the bundle. */
function textModules(): string[] {
  return readdirSync(dirname(inject('bundle'))).filter((name) => name.endsWith('.txt'))
}

/** Records the messages of all errors that are created. */
const RECORD_ERRORS = `
  globalThis.messages = []
  for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'EvalError']) {
    globalThis[name] = new Proxy(globalThis[name], {
      construct(constructor, args, newTarget) {
        messages.push(String(args[0]))
        return Reflect.construct(constructor, args, newTarget)
      },
    })
  }`

const REPORT_ERRORS = `
  import './record-errors.js'
  import './bundle.js'
  const atStart = [...messages]
  export default { fetch: () => Response.json(atStart) }`

describe('the scripts of pages', () => {
  it('are compiled from their sources; `npm run scripts` does it', () => {
    const compiled = temporaryFolder()
    execFileSync('npm', ['run', '--silent', 'scripts', '--', `--outdir=${compiled}`])

    const names = readdirSync(compiled, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.txt'),
    )
    expect(names).toContain('core/pages/page-script.txt')
    expect(names).toContain('features/passkeys/sign-in-script.txt')
    for (const name of names) {
      expect(readFileSync(`src/${name}`, 'utf8')).toBe(readFileSync(`${compiled}/${name}`, 'utf8'))
    }
  })
})

/** The features of which a bundle has code. esbuild precedes the code of each file with its path. */
function featuresIn(bundle: string): string[] {
  const ids = Array.from(bundle.matchAll(/^\/\/ src\/features\/([^/\n]+)/gm), ([, id = '']) => id)
  return [...new Set(ids)].sort()
}

/** The keys of the texts of features that it has. */
function textsIn(bundle: string): string[] {
  return Object.values(featureTexts)
    .flatMap((texts) => Object.keys(texts))
    .filter((key) => bundle.includes(`"${key}":`))
}

describe('the bundle of a deployment that imports TikTok only', () => {
  it('contains no other provider, and neither code nor texts of a feature', async () => {
    const [script = '', demo = ''] = await Promise.all(
      ['test/combined/tiktok-only.ts', 'src/testing-login.ts'].map((main) => bundleModule(main)),
    )

    const hosts = /accounts\.google\.com|github\.com|discord\.com|login\.microsoftonline/
    expect(script).toContain('open.tiktokapis.com')
    expect(script).not.toMatch(hosts)
    expect(featuresIn(script)).toEqual([])
    expect(textsIn(script)).toEqual([])
    expect(textsIn(demo)).toContain('passkeys.one')
    expect(featuresIn(demo)).toEqual(expect.arrayContaining(['agents', 'device', 'passkeys']))
  })
})

describe('the bundle of a deployment with passkeys and email', () => {
  it(`has at most ${LOCAL_PROVIDERS_SIZE} KiB of code more, compressed with gzip`, async () => {
    const [ours, demo] = await Promise.all(
      ['src/index.ts', 'src/testing-login.ts'].map((main) =>
        bundleModule(main, { minify: true, includesTexts: false }),
      ),
    )

    const difference = gzipSync(demo ?? '').length - gzipSync(ours ?? '').length
    expect(difference).toBeLessThanOrEqual(LOCAL_PROVIDERS_SIZE * 1024)
  })
})

describe('the languages of the pages', () => {
  it('are uploaded as text files, which are not compiled when a Worker starts', () => {
    const files = textModules().filter((name) => name.endsWith('.json.txt'))
    const ofFeatures = files.filter((name) => name.endsWith('-texts.json.txt'))

    expect(files.length - ofFeatures.length).toBe(createLanguages({}).size)
    // admin, agents, device, qr-sign-in, roles and sender-constrained have texts.
    expect(ofFeatures).toHaveLength(6)
  })
})
