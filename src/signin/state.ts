import { seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import { randomSecret } from '../random.ts'
import { askingClient } from './asking-client.ts'

/** As long as an attempt lives. */
const TEN_MINUTES = 600 // seconds

/** The platform takes a state of 512 characters at most, and this is the smaller part of it. */
const LONGEST_HOME = 200

/**
 * The state of an attempt: 256 random bits; and after them, sealed, what is left to know when the attempt's cookie is
 * lost on the way, as happens where phones change the browser.
 */
export async function makeState(
  config: Config,
  provider: string,
  returnTo: string,
): Promise<string> {
  const until = seconds() + TEN_MINUTES
  const hint = `${until} ${homeOf(config, returnTo)}`
  return `${randomSecret()}.${await config.seal.seal('state', provider, hint)}`
}

/** Where a person whose attempt is lost can begin again: once. */
export async function homeOfLost(
  { seal }: Config,
  provider: string,
  state = '',
): Promise<string | undefined> {
  const opened = await seal.open('state', provider, state.split('.')[1] ?? '')
  const [until, home] = opened?.split(' ') ?? []
  return Number(until) > seconds() ? home : undefined
}

/** Where to begin in another browser: an app's request is of no use there, but the app is. */
export function homeOf(config: Config, returnTo: string): string {
  const isRequest = returnTo.startsWith(`${config.issuer}/oidc/authorize?`)
  const home = (isRequest && askingClient(config, returnTo)?.origins[0]) || returnTo
  return home.length > LONGEST_HOME ? new URL(home).origin : home
}
