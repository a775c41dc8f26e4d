import type { FeatureContext, UnconfirmedMark } from '../../define-feature/own-feature.ts'
import { findPeriod } from './one-time-code.ts'
import { createRecoveryCodes, recoveryCodeDigest } from './recovery-codes.ts'

/** The second factor of a user. */
export interface Factor {
  /** The secret of the authenticator app, sealed. */
  secret: string
  /** The period of the last code that was used, none of which counts again. */
  lastUsed: number
  /** In seconds since 1970. */
  addedAt: number
  /** Of one that was added without proof: it counts for nothing until the user confirms it. */
  unconfirmed?: UnconfirmedMark | undefined
  /** The digests of the recovery codes that were not used. */
  recoveryCodes: readonly string[]
}

const KEY = 'factor'

/** What secrets are sealed for, in storage and in the form that adds one. */
export const STORED = 'totp'
export const OFFERED = 'totp-offer'

type Context = Pick<FeatureContext, 'records' | 'seal' | 'open'>

export async function readFactor({ records }: Context): Promise<Factor | undefined> {
  return records.get<Factor>(KEY)
}

/** Whether a user must have a code to sign in. */
export function isActive(factor: Factor | undefined): factor is Factor {
  return factor !== undefined && factor.unconfirmed === undefined
}

/**
 * Stores a factor, instead of the one that the user has, about which `mayReplace` decides. Returns
 * the recovery codes, which are shown once; undefined if it may not.
 */
export async function storeFactor(
  { records, seal }: Context,
  { secret, period, unconfirmed }: NewFactor,
  mayReplace: (factor: Factor | undefined) => boolean,
): Promise<string[] | undefined> {
  const { codes, digests } = await createCodes()
  const factor: Factor = {
    secret: await seal(STORED, secret),
    lastUsed: period,
    addedAt: Math.floor(Date.now() / 1000),
    recoveryCodes: digests,
    ...(unconfirmed && { unconfirmed }),
  }
  return records.update<Factor, string[]>(KEY, (former) =>
    mayReplace(former) ? { value: factor, result: codes } : undefined,
  )
}

/** A factor that the user adds. */
interface NewFactor {
  /** In base64. */
  secret: string
  /** That of the code which has proved that the app has the secret. */
  period: number
  unconfirmed: UnconfirmedMark | undefined
}

/** Whether a factor with this secret was added from a page that could still be sent again. */
export async function isSpent({ records }: Pick<Context, 'records'>, secret: string) {
  return (await records.get(await spentKey(secret))) !== undefined
}

/** Uses up the secret that a page has offered. Returns false if it was used before. */
export async function spendOffer(
  { records }: Pick<Context, 'records'>,
  secret: string,
  lifetime: number,
): Promise<boolean> {
  const isFirst = await records.update<true, true>(
    await spentKey(secret),
    (isUsed) => (isUsed ? undefined : { value: true, result: true }),
    { lifetime },
  )
  return isFirst ?? false
}

async function spentKey(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return `spent ${new Uint8Array(digest).toBase64()}`
}

/** Decides whether the code of a factor counts, and how it changes the factor. */
export type UseFactor = (factor: Factor) => Factor | undefined

const requireActive: UseFactor = (factor) => (isActive(factor) ? factor : undefined)

/** The secret of the app in base64; undefined if no secret of the service opens it any more. */
export function openFactor({ open }: Pick<Context, 'open'>, { secret }: Factor) {
  return open(STORED, secret, { isStored: true })
}

/** Uses a code of the app up. Returns false if it is wrong, was used before, or does not count. */
export async function useCode(
  context: Context,
  code: string,
  use: UseFactor = requireActive,
): Promise<boolean> {
  const { records, seal } = context
  const isRight = await records.update<Factor, true>(KEY, async (stored) => {
    const factor = stored && use(stored)
    const secret = factor && (await openFactor(context, factor))
    if (!secret) return undefined
    const period = await findPeriod(Uint8Array.fromBase64(secret), code, {
      now: Date.now() / 1000,
      lastUsed: factor.lastUsed,
    })
    if (period === undefined) return undefined
    // Sealed again, because an older secret of the service may be removed.
    const sealed = await seal(STORED, secret)
    return { value: { ...factor, lastUsed: period, secret: sealed }, result: true }
  })
  return isRight ?? false
}

/** Uses a recovery code up. Returns how many are left; undefined if it is wrong or used. */
export async function useRecoveryCode(
  { records }: Context,
  code: string,
): Promise<number | undefined> {
  const digest = await recoveryCodeDigest(code)
  return records.update<Factor, number>(KEY, (factor) => {
    if (!isActive(factor) || !factor.recoveryCodes.includes(digest)) return undefined
    const recoveryCodes = factor.recoveryCodes.filter((other) => other !== digest)
    return { value: { ...factor, recoveryCodes }, result: recoveryCodes.length }
  })
}

/**
 * Replaces the recovery codes of a factor that counts: those of another one are only for whoever has
 * added it. Returns the new ones; undefined if there is no such factor.
 */
export async function replaceRecoveryCodes({ records }: Context): Promise<string[] | undefined> {
  const { codes, digests } = await createCodes()
  return records.update<Factor, string[]>(KEY, (factor) =>
    isActive(factor) ? { value: { ...factor, recoveryCodes: digests }, result: codes } : undefined,
  )
}

/** Returns false if there was none, or it may not be removed. */
export async function removeFactor(
  { records }: Pick<Context, 'records'>,
  mayRemove: (factor: Factor) => boolean = () => true,
): Promise<boolean> {
  const isRemoved = await records.update<Factor, true>(KEY, (factor) =>
    factor && mayRemove(factor) ? { value: undefined, result: true } : undefined,
  )
  return isRemoved ?? false
}

async function createCodes() {
  const codes = createRecoveryCodes()
  return { codes, digests: await Promise.all(codes.map(recoveryCodeDigest)) }
}
