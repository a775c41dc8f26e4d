import { describe, expect, it } from 'vitest'
import { randomId, randomSecret } from '../../../src/foundation/crypto/random.ts'
import { Seal } from '../../../src/foundation/crypto/seal.ts'

const OLD = 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4'
const NEW = 'aB7cD1eF9gH3iJ5kL2mN8oP4qR6sT0uVwXyZ-_1234x'

/** Twelve bytes in base64url. */
const NONCE_LENGTH = 16

describe('a seal', () => {
  it('[O2] never uses a nonce twice, also not for the same text (NIST SP 800-38D §8.2)', async () => {
    const seal = new Seal([OLD])

    const sealed = await Promise.all(
      Array.from({ length: 2000 }, (_, n) =>
        seal.seal(n % 2 ? 'code' : 'refresh', '', n % 3 ? 'the same text' : `text ${n}`),
      ),
    )

    const nonces = sealed.map((text) => text.slice(0, NONCE_LENGTH))
    expect(new Set(nonces).size).toBe(sealed.length)
    // Every character of the nonce is random: 2000 of 64 values leave none out.
    for (let at = 0; at < NONCE_LENGTH; at++) {
      expect(new Set(nonces.map((nonce) => nonce[at])).size).toBe(64)
    }
  })

  it('[O2] does not use the same nonces again after a restart', async () => {
    const seals = [new Seal([OLD]), new Seal([OLD])]

    const [first, second] = await Promise.all(seals.map((seal) => seal.seal('code', '', 'text')))

    expect(first?.slice(0, NONCE_LENGTH)).not.toBe(second?.slice(0, NONCE_LENGTH))
  })

  it('[O2] has a pseudonym for a text, which only its secret determines', async () => {
    const [current = '', former] = await new Seal([NEW, OLD]).pseudonyms('text')

    expect(await new Seal([NEW]).pseudonyms('text')).toEqual([current])
    expect(await new Seal([OLD]).pseudonyms('text')).toEqual([former])
    expect(await new Seal([NEW], [OLD]).pseudonyms('text')).toEqual([current, former])
    for (const pseudonym of [current, ...(await new Seal([NEW]).pseudonyms('x'.repeat(9999)))]) {
      expect(pseudonym).toMatch(/^[\w-]{11}$/)
    }
    expect(new Set([current, former, ...(await new Seal([NEW]).pseudonyms('other'))]).size).toBe(3)
  })

  it('[O2] derives different keys from the same secret for different purposes', async () => {
    const sealed = await new Seal([OLD]).seal('session', '', 'text')

    // A new object each time, so that no cached key is used.
    expect(await new Seal([OLD]).open('session', '', sealed)).toBe('text')
    expect(await new Seal([OLD]).open('csrf', '', sealed)).toBeUndefined()
    expect(await new Seal([NEW]).open('session', '', sealed)).toBeUndefined()
  })

  it('[O2] binds a value to its context', async () => {
    const seal = new Seal([OLD])
    const sealed = await seal.seal('keyring', 'tiktok  a', 'text')

    expect(await seal.open('keyring', 'tiktok  a', sealed)).toBe('text')
    for (const context of ['', 'tiktok  b', 'tiktok  a ']) {
      expect(await seal.open('keyring', context, sealed)).toBeUndefined()
    }
  })

  it('[O3] seals with the first secret and opens with all of them', async () => {
    const before = await new Seal([OLD]).seal('session', '', 'before')
    const during = await new Seal([NEW, OLD]).seal('session', '', 'during')

    expect(await new Seal([NEW, OLD]).open('session', '', before)).toBe('before')
    expect(await new Seal([NEW]).open('session', '', during)).toBe('during')
    expect(await new Seal([OLD]).open('session', '', during)).toBeUndefined()
    expect(await new Seal([NEW]).open('session', '', before)).toBeUndefined()
  })

  it.each([
    ['padding', (sealed: string) => `${sealed}=`],
    ['white space', (sealed: string) => ` ${sealed}`],
    ['a line break', (sealed: string) => `${sealed.slice(0, 20)}\n${sealed.slice(20)}`],
    ['the other base64 alphabet', (sealed: string) => sealed.replaceAll('-', '+')],
    ['nothing', () => ''],
    ['only a nonce', (sealed: string) => sealed.slice(0, NONCE_LENGTH)],
    ['a changed nonce', (sealed: string) => `${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}`],
    ['a shortened authentication tag', (sealed: string) => sealed.slice(0, -4)],
  ])('[O2] does not open a value with %s', async (_, change) => {
    const seal = new Seal([OLD])
    let sealed = ''
    // The other alphabet differs only if this character occurs.
    while (!sealed.includes('-')) sealed = await seal.seal('session', '', 'the text of a cookie')

    expect(await seal.open('session', '', sealed)).toBe('the text of a cookie')
    expect(await seal.open('session', '', change(sealed))).toBeUndefined()
  })
})

describe('a random value', () => {
  it('[C9] has 256 bits as a secret and 128 bits as an id', () => {
    expect(randomSecret()).toMatch(/^[\w-]{43}$/)
    expect(randomId('usr')).toMatch(/^usr_[\w-]{22}$/)
    const secrets = Array.from({ length: 2000 }, randomSecret)
    expect(new Set(secrets).size).toBe(secrets.length)
  })
})
