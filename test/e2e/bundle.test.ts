import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { describe, expect, inject, it } from 'vitest'
import { CODE_SIZE, LOCAL_PROVIDERS_SIZE } from '../../bench/limits.ts'
import { bundle as bundleModule } from '../../demo/bundle.ts'

describe('the deployed bundle', () => {
  const bundle = readFileSync(inject('bundle'))

  it(`has at most ${CODE_SIZE} KiB of code, compressed with gzip`, () => {
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(CODE_SIZE * 1024)
  })

  it('contains the providers of src/deployment.ts, and no others of the catalogue', () => {
    const script = bundle.toString()

    expect(script).toContain('https://discord.com/oauth2/authorize')
    expect(script).not.toMatch(/login\.eveonline\.com|api\.trakt\.tv|AUTH_KEYCLOAK|bitbucket/)
  })

  it('contains none of the code of passkeys', () => {
    expect(bundle.toString()).not.toMatch(
      /signin\/passkeys|webauthn\.get|parseRequestOptionsFromJSON|account\/passkeys/,
    )
  })

  it('imports no modules of Node.js', () => {
    expect(bundle.toString()).not.toMatch(/from ?["']node:/)
  })

  it('creates no error while it is evaluated: for its stack, V8 would parse the whole bundle once more', async () => {
    const runtime = new Miniflare(
      convertV4MiniflareOptions({
        compatibilityDate: '2026-09-01',
        modulesRoot: '/',
        modules: [
          { type: 'ESModule', path: '/main.js', contents: REPORT_ERRORS },
          { type: 'ESModule', path: '/record-errors.js', contents: RECORD_ERRORS },
          { type: 'ESModule', path: '/bundle.js', contents: bundle.toString() },
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

describe("the bundle of this repository's deployment", () => {
  it('contains no code of sign-in with email, credentials or passkeys', async () => {
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

describe('the bundle of a deployment with passkeys and email', () => {
  it(`has at most ${LOCAL_PROVIDERS_SIZE} KiB more, compressed with gzip`, async () => {
    const [ours, demo] = await Promise.all(
      ['src/index.ts', 'demo/login/index.ts'].map((main) => bundleModule(main, { minify: true })),
    )

    const difference = gzipSync(demo ?? '').length - gzipSync(ours ?? '').length
    expect(difference).toBeLessThanOrEqual(LOCAL_PROVIDERS_SIZE * 1024)
  })

  it('contains no code for certificates, because passkeys with an attestation are rejected', async () => {
    const script = await bundleModule('demo/login/index.ts')

    expect(script).toMatch(/signin\/passkeys/)
    expect(script).not.toMatch(/^\/\/ node_modules\/@(peculiar|simplewebauthn)/m)
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
  it('are uploaded as text, which is not compiled when a Worker starts, except English', () => {
    const path = inject('bundle')
    const script = readFileSync(path, 'utf8')
    const files = readdirSync(dirname(path)).filter((name) => name.endsWith('.txt'))

    const names = files.map((name) => name.replace(/^[0-9a-f]+-(.*)\.json\.txt$/, '$1'))
    expect(
      files.map((name) => `import("./${name}")`).filter((code) => !script.includes(code)),
    ).toEqual([])
    expect(script).toContain('Choose how you would like to sign in.')
    expect(script).not.toContain('Mit {provider} anmelden')
    expect(names.toSorted()).toEqual('ar de es fr hi id it ja ko pt-br zh-hans'.split(' '))
  })
})
