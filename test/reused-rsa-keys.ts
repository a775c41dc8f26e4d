/** Two pairs, because a keyring has an active key and a next one. */
const pairs: Promise<CryptoKey | CryptoKeyPair>[] = []

/**
 * Calls a function while RSA keys are not created anew, which takes seconds, but reused. For keys
 * that no test uses.
 */
export async function withReusedRsaKeys<Result>(run: () => Promise<Result>): Promise<Result> {
  const { subtle } = crypto
  const generateKey = subtle.generateKey.bind(subtle)
  let count = 0
  subtle.generateKey = ((algorithm: { name: string }, ...rest: [boolean, string[]]) => {
    if (!algorithm.name.startsWith('RSA')) return generateKey(algorithm, ...rest)
    const index = count++ % 2
    pairs[index] ??= generateKey(algorithm, ...rest)
    return pairs[index]
  }) as SubtleCrypto['generateKey']
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(subtle, 'generateKey')
  }
}
