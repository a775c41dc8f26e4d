import { nowInSeconds } from '../values/clock.ts'
import type { Purpose, Seal } from './seal.ts'

/** What a sealed value is for; it opens only for the same purpose and context. */
interface Use<Declared extends string> {
  purpose: Declared
  context: string
}

interface Opening<Declared extends string> extends Use<Declared> {
  /** Whether it was read from storage, so that a leaked secret may have sealed it. */
  isStored?: boolean
}

/**
 * Seals a text that can be used until `expiresAt`. Without a text, it only proves that we sealed
 * it.
 */
export function sealUntil<Declared extends string = Purpose>(
  seal: Seal,
  expiresAt: number,
  { purpose, context, text }: Use<NoInfer<Declared>> & { text?: string },
): Promise<string> {
  return seal.seal<Declared>(
    purpose,
    context,
    text === undefined ? `${expiresAt}` : `${expiresAt} ${text}`,
  )
}

/** Opens a text that `sealUntil` has sealed for this use; returns `undefined` if it has expired. */
export async function openUnexpired<Declared extends string = Purpose>(
  seal: Seal,
  sealed: string,
  use: Opening<NoInfer<Declared>>,
): Promise<string | undefined> {
  const opened = await openWithExpiry<Declared>(seal, sealed, use)
  return opened && !opened.isExpired ? opened.text : undefined
}

/** Opens a text that `sealUntil` has sealed for this use, even if it has expired. */
export async function openWithExpiry<Declared extends string = Purpose>(
  seal: Seal,
  sealed: string,
  { purpose, context, isStored = false }: Opening<NoInfer<Declared>>,
): Promise<{ text: string; isExpired: boolean } | undefined> {
  const opened = isStored
    ? (await seal.openAndRenew<Declared>(purpose, context, sealed))?.text
    : await seal.open<Declared>(purpose, context, sealed)
  const [, expiresAt, text = ''] = opened?.match(/^(\d+)(?: (.*))?$/s) ?? []
  if (expiresAt === undefined) return undefined
  return { text, isExpired: Number(expiresAt) <= nowInSeconds() }
}
