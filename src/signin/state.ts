import { seconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { randomSecret } from '../crypto/random.ts'
import { askingClient } from './asking-client.ts'

/** As long as an attempt lives. */
const TEN_MINUTES = 600 // seconds

/** The platform takes a state of 512 characters at most, and this is the smaller part of it. */
const LONGEST_HOME = 200

/** Systems on which no app takes a sign-in to another browser. A Mac is not among them: it may be a tablet. */
const DESKTOPS = /Windows|X11|CrOS/

/**
 * The state of an attempt: 256 random bits; and after them, sealed, what is left to know when the attempt's cookie is
 * lost on the way, as happens where phones change the browser.
 */
export async function makeState(
  { seal }: Config,
  provider: string,
  { name, home, agent }: { name: string; home: string; agent: string },
): Promise<string> {
  if (DESKTOPS.test(agent)) return randomSecret()
  const hint = `${seconds() + TEN_MINUTES} ${home} ${name}`
  return `${randomSecret()}.${await seal.seal('state', provider, hint)}`
}

/** A lost attempt: what the log calls it, and where the person can begin again. */
export async function readState(
  { seal }: Config,
  provider: string,
  state = '',
): Promise<{ name?: string | undefined; home?: string | undefined }> {
  const opened = await seal.open('state', provider, state.split('.')[1] ?? '')
  const [until, home, name] = opened?.split(' ') ?? []
  return { name, home: Number(until) > seconds() ? home : '' }
}

/** Where to begin in another browser: an app's request is of no use there, but the app is. */
export function homeOf(config: Config, returnTo: string): string {
  const isRequest = returnTo.startsWith(`${config.issuer}/oidc/authorize?`)
  const home = (isRequest && askingClient(config, returnTo)?.origins[0]) || returnTo
  return home.length > LONGEST_HOME ? new URL(home).origin : home
}
