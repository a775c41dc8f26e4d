import { describe, expect, it } from 'vitest'
import example from '../.dev.vars.example?raw'
import manifest from '../package.json'
import lockfile from '../package-lock.json'
import deployment from '../wrangler.toml?raw'

/** Every file of the service, as text. */
const sources = Object.entries(
  import.meta.glob<string>('../src/**/*.{ts,tsx}', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).map(([path, text]) => ({ path: path.replace('../', ''), text }))

const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

describe('the source', () => {
  it('is all there', () => {
    expect(sources.length).toBeGreaterThan(30)
    expect(filesWith(/console\./).length).toBeGreaterThan(0)
  })

  it('[O1] holds no secret, and neither does what is deployed with it', () => {
    const everything = [...sources.map(({ text }) => text), deployment].join('\n')

    expect(everything).not.toMatch(/-----BEGIN|AUTH_\w*SECRET\s*[:=]\s*['"][^'"]+['"]|"d":/)
    expect(example).toMatch(/^AUTH_SECRET=$/m)
    for (const line of example.split('\n')) expect(line).toMatch(/^(#.*|[A-Z_]+=|)$/)
  })

  it('[O2] derives a key for each purpose, in one place', () => {
    expect(filesWith(/HKDF/)).toEqual(['src/seal.ts'])
    expect(filesWith(/subtle\.(en|de)crypt/)).toEqual(['src/seal.ts'])
  })

  it('[O8] compares secrets in one place, in constant time', () => {
    expect(filesWith(/timingSafeEqual/)).toEqual(['src/random.ts'])
    expect(
      filesWith(
        /(secret|csrfToken|shown|expected)\w* [!=]== \w*(secret|csrfToken|shown|expected)/i,
      ),
    ).toEqual([])
  })

  it('[B8] compares a verifier with its challenge by the helper that takes the same time for all', () => {
    const compared = /(challenge|verifier) [!=]==? (?!null|undefined|')/i
    const comparing = / [!=]==? [\w.]*(challenge|verifier)\b/i

    expect(filesWith(/isSameDigest\(terms\.codeChallenge/)).toEqual(['src/grants/ledger.ts'])
    expect(filesWith(compared)).toEqual([])
    expect(filesWith(comparing)).toEqual([])
  })

  it('[O12] takes chance from crypto alone', () => {
    expect(filesWith(/Math\.random|Date\.now\(\)\.toString/)).toEqual([])
  })

  it('[P1] fetches in one place, and only what the configuration names', () => {
    // Elsewhere `fetch` is a bounded one that was handed in.
    const isHandedIn = /[{,(]\s*fetch\b|\bfetch: BoundedFetch/
    const direct = sources.filter(
      ({ text }) => /(?<![.\w])fetch\(/.test(text) && !isHandedIn.test(text),
    )
    expect(direct.map(({ path }) => path)).toEqual(['src/providers/bounded-fetch.ts'])
  })

  it('[Q1] names each binding in one file', () => {
    expect(filesWith(/env\.SESSIONS/)).toEqual(['src/session/store.ts'])
    expect(filesWith(/env\.DIRECTORY/)).toEqual(['src/users/directory.ts'])
    expect(filesWith(/env\.USERS/)).toEqual(['src/users/user-object.ts'])
    expect(filesWith(/env\.KEYRING/)).toEqual(['src/tokens/keyring.ts'])
    expect(filesWith(/env\.AUTH_|env\[.AUTH_/)).toEqual(['src/config.ts'])
  })

  it('[R9] repeats no repetition in a pattern', () => {
    expect(filesWith(/\((?:[^()\\]|\\.)*[+*]\)[+*]/)).toEqual([])
  })

  it('[T2] is built from exact versions, and runs install scripts of the packages that need them alone', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
    const scripted = Object.entries(lockfile.packages)
      .filter(([, entry]) => 'hasInstallScript' in entry)
      .map(([path]) => path.replace(/.*node_modules\//, ''))

    for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    expect(Object.keys(manifest.allowScripts)).toEqual(
      expect.arrayContaining(scripted.filter((name) => name !== 'fsevents')),
    )
  })

  it('[T3] brings four packages to the edge', () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual([
      '@hono/zod-validator',
      'hono',
      'oauth4webapi',
      'zod',
    ])
  })

  it('[T4] uses a Hono past its advisories', () => {
    const [major = 0, minor = 0, patch = 0] = manifest.dependencies.hono.split('.').map(Number)

    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(4_012_025)
  })

  it('[T5] pins the day of its runtime, fetches strictly publicly, and needs no Node', () => {
    expect(deployment).toMatch(/^compatibility_date = "\d{4}-\d\d-\d\d"$/m)
    expect(deployment).toMatch(/^compatibility_flags = \["global_fetch_strictly_public"\]$/m)
    expect(deployment).not.toContain('nodejs_compat')
  })
})
