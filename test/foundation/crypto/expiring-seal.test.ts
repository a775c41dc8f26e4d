import { describe, expect, it } from 'vitest'
import {
  openUnexpired,
  openWithExpiry,
  sealUntil,
} from '../../../src/foundation/crypto/expiring-seal.ts'
import { Seal } from '../../../src/foundation/crypto/seal.ts'
import { setClock } from '../../clock.ts'

const seal = new Seal(['a-secret-of-at-least-32-characters-1'])
const use = { purpose: 'link', context: 'usr_a' } as const
const EXPIRES_AT = 2_000_000_000 // seconds since 1970

describe('a sealed text with an expiry', () => {
  it('opens as an empty text if it was sealed without one', async () => {
    setClock(EXPIRES_AT - 1)
    const sealed = await sealUntil(seal, EXPIRES_AT, use)

    expect(await openUnexpired(seal, sealed, use)).toBe('')
  })

  it('does not open at the second of its expiry', async () => {
    setClock(EXPIRES_AT)
    const sealed = await sealUntil(seal, EXPIRES_AT, { ...use, text: 'text' })

    expect(await openUnexpired(seal, sealed, use)).toBeUndefined()
    expect(await openWithExpiry(seal, sealed, use)).toEqual({ text: 'text', isExpired: true })
  })

  it('does not open for another purpose or context', async () => {
    setClock(EXPIRES_AT - 1)
    const sealed = await sealUntil(seal, EXPIRES_AT, use)

    expect(await openUnexpired(seal, sealed, { ...use, purpose: 'state' })).toBeUndefined()
    expect(await openUnexpired(seal, sealed, { ...use, context: 'usr_b' })).toBeUndefined()
  })

  it('does not open a text that was sealed without an expiry', async () => {
    const sealed = await seal.seal(use.purpose, use.context, 'text without an expiry')

    expect(await openUnexpired(seal, sealed, use)).toBeUndefined()
  })
})
