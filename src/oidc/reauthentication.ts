import { seconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { digest } from '../crypto/random.ts'
import type { Pairs } from '../query.ts'

/** As long as a person may take to sign in. */
const FIFTEEN_MINUTES = 900 // seconds

/** Marks when this very request sent the person to sign in: a sign-in after that satisfies it. */
export async function markReauthentication({ seal }: Config, request: Pairs): Promise<string> {
  return seal.seal('reauth', await nameOf(request), String(seconds()))
}

/** When this very request sent the person to sign in, if it did so lately. */
export async function readReauthentication(
  { seal }: Config,
  request: Pairs,
): Promise<number | undefined> {
  const [, mark] = request.find(([name]) => name === 'reauth') ?? []
  if (!mark) return undefined
  const opened = await seal.open('reauth', await nameOf(request), mark)
  const since = Number(opened)
  return opened !== undefined && Date.now() / 1000 - since < FIFTEEN_MINUTES ? since : undefined
}

function nameOf(request: Pairs): Promise<string> {
  return digest(JSON.stringify(request.filter(([name]) => name !== 'reauth')))
}
