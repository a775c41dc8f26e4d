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

/** The methods of the classes in a file. Biome sees to it that they begin and end like this. */
function methodsOf(path: string): { name: string; text: string }[] {
  const { text } = sources.find((source) => source.path === path) ?? { text: '' }
  const methods = text.matchAll(/^ {2}(?:override )?(?:async )?(#?\w+)\((?:.|\n)*?^ {2}}$/gm)
  return Array.from(methods, ([method, name = '']) => ({ name, text: method }))
}

/** What is decided on one thread: Durable Objects, and the ledgers in their storage. */
const OBJECTS = filesWith(/extends DurableObject/)
const LEDGERS = filesWith(/readonly #sql: Tables/)

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
    expect(filesWith(/HKDF/)).toEqual(['src/crypto/seal.ts'])
    expect(filesWith(/subtle\.(en|de)crypt/)).toEqual(['src/crypto/seal.ts'])
  })

  it('[E13] opens nothing that somebody else has encrypted, and promises to nobody that it would', () => {
    expect(filesWith(/subtle\s*\.decrypt/)).toEqual(['src/crypto/seal.ts'])
    expect(
      filesWith(/jweDecrypt|decryptJwe|compactDecrypt|jwtDecrypt|RSA-OAEP|ECDH|unwrapKey/),
    ).toEqual([])
    expect(filesWith(/_encryption_(alg|enc)_|_encrypted_response_/)).toEqual([])
  })

  it('[O8] compares secrets in one place, in constant time', () => {
    expect(filesWith(/timingSafeEqual/)).toEqual(['src/crypto/compare.ts'])
    expect(
      filesWith(
        /(secret|csrfToken|shown|expected)\w* [!=]== \w*(secret|csrfToken|shown|expected)/i,
      ),
    ).toEqual([])
  })

  it('[B8] compares a verifier with its challenge by the helper that takes the same time for all', () => {
    const compared = /(challenge|verifier) [!=]==? (?!null|undefined|')/i
    const comparing = / [!=]==? [\w.]*(challenge|verifier)\b/i

    expect(filesWith(/isSameDigest\(terms\.codeChallenge/)).toEqual(['src/grants/grants.ts'])
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
    expect(direct.map(({ path }) => path)).toEqual(['src/upstream/bounded-fetch.ts'])
  })

  it('[Q1] names each binding in one file', () => {
    expect(filesWith(/env\.SESSIONS/)).toEqual(['src/users/session-cache.ts'])
    expect(filesWith(/env\.DIRECTORY/)).toEqual(['src/users/directory.ts'])
    expect(filesWith(/env\.USERS/)).toEqual(['src/users/user-object.ts'])
    expect(filesWith(/env\.KEYRING/)).toEqual(['src/tokens/keyring.ts'])
    expect(filesWith(/env\.GUARDS/)).toEqual(['src/limits/guard-object.ts'])
    expect(filesWith(/env\.(VISITS|CALLS)/)).toEqual(['src/limits/rate-limit.ts'])
    expect(filesWith(/env\.AUTH_|env\[.AUTH_/)).toEqual(['src/config/config.ts'])
  })

  it('[Q12] holds an object up while it is made, and never later', () => {
    const late = OBJECTS.flatMap(methodsOf).filter(
      ({ name, text }) => name !== 'constructor' && text.includes('blockConcurrencyWhile'),
    )

    expect(OBJECTS).toEqual([
      'src/limits/guard-object.ts',
      'src/tokens/keyring-object.ts',
      'src/users/user-object.ts',
    ])
    expect(late).toEqual([])
    expect(OBJECTS).toEqual(expect.arrayContaining(filesWith(/blockConcurrencyWhile/)))
  })

  it('[Q12] waits for nobody between reading and writing', () => {
    expect(LEDGERS).toEqual([
      'src/grants/grants.ts',
      'src/users/logout-outbox.ts',
      'src/users/sessions.ts',
    ])
    expect(
      LEDGERS.flatMap(methodsOf).filter(({ text }) => /\b(async|await|Promise)\b/.test(text)),
    ).toEqual([])

    const methods = OBJECTS.flatMap(methodsOf)
    expect(methods.filter(({ text }) => /fetch|postForm/i.test(text))).toEqual([])
    // An object waits for its own storage and methods, and for anything else in these alone.
    const elsewhere = /await (?!this\.|emptied\b|\(await ctx\.storage\.|ctx\.storage\.)/
    expect(methods.filter(({ text }) => elsewhere.test(text)).map(({ name }) => name)).toEqual([
      '#isLost', // reads keys, and writes none
      '#replace', // looks again after it has waited, see below
      '#generate', // makes keys, and stores none
      '#refresh', // looks again after it has waited, see below
      '#tellClients', // takes each notice for half a minute, so that nobody else does
    ])
    const again =
      /(#generate\(\)\]?\)?|freshTokens\(.*\))\n(.*\n)*? *(if \(this\.#kids\(\)|const now = this\.#upstreamOf\()/
    const waiting = methods.filter(({ text }) => /await .*(#generate|freshTokens)\(/.test(text))
    expect(waiting.map(({ name }) => name)).toEqual(['#sweep', '#replace', '#refresh'])
    expect(waiting.filter(({ text }) => !again.test(text))).toEqual([])
  })

  it('[Q13] asks one clock for each decision, and no other', () => {
    const methods = [...LEDGERS, ...OBJECTS].flatMap(methodsOf)
    const asksTwice = methods.filter(({ text }) => text.split(/\bseconds\(\)/).length > 2)
    // An alarm is set at so many milliseconds from now, which decides nothing.
    const asksAnother = methods.filter(({ text }) =>
      /\bDate\b/.test(text.replaceAll(/setAlarm\(Date\.now\(\) \+ \w+\)/g, '')),
    )

    expect(methods.filter(({ text }) => text.includes('seconds()')).length).toBeGreaterThan(10)
    expect(asksTwice).toEqual([])
    expect(asksAnother).toEqual([])
    // A database has a clock of its own, and so has whoever asks an object.
    expect(filesWith(/unixepoch|datetime\(|strftime|julianday|current_time/i)).toEqual([])
    expect(
      filesWith(
        /interface (Redemption|Rotation|SessionOpening) {[^}]*\b(now|time|\w+At|\w+Until)\b/,
      ),
    ).toEqual([])
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
