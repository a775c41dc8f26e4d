/** A keyring has an active key and a next one. */
const PAIRS_OF_SETUP = 2

/** More than any test creates for one keyring. */
const PAIRS_OF_TESTS = 8

type KeyPair = CryptoKey | CryptoKeyPair

const setupPairs: Promise<KeyPair>[] = []
const testPairs: Promise<KeyPair>[] = []
let count = 0

/** Calls a function while RSA keys are reused that no test uses. */
export async function withReusedRsaKeys<Result>(run: () => Promise<Result>): Promise<Result> {
  const undo = reuse(setupPairs, PAIRS_OF_SETUP)
  try {
    return await run()
  } finally {
    undo()
  }
}

/**
 * A `beforeEach` hook for tests with many keyrings or providers: an RSA key, which takes up to a second to create,
 * is the one that was created eight keys before.
 */
export function reuseRsaKeys(): () => void {
  return reuse(testPairs, PAIRS_OF_TESTS)
}

function reuse(pairs: Promise<KeyPair>[], size: number): () => void {
  const { subtle } = crypto
  const generateKey = subtle.generateKey.bind(subtle)
  subtle.generateKey = ((algorithm: { name: string }, ...rest: [boolean, string[]]) => {
    if (!algorithm.name.startsWith('RSA')) return generateKey(algorithm, ...rest)
    const index = count++ % size
    pairs[index] ??= generateKey(algorithm, ...rest)
    return pairs[index]
  }) as SubtleCrypto['generateKey']
  return () => Reflect.deleteProperty(subtle, 'generateKey')
}
