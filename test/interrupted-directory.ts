import { env } from 'cloudflare:workers'
import { Browser } from './browser.ts'
import { signInNewUser } from './new-user.ts'

export type Moment = 'before' | 'after'

export const MOMENTS: Moment[] = ['before', 'after']

/** What happens before or after the next transaction in the directory, while its request waits. */
let interruption: { moment: Moment; run: () => Promise<unknown> } | undefined

/** Interrupts the next transaction. */
export function interrupt(moment: Moment, run: () => Promise<unknown>): void {
  interruption = { moment, run }
}

/** True while the next transaction will be interrupted. */
export function isInterruptionLeft(): boolean {
  return interruption !== undefined
}

/** The directory, whose next transaction is interrupted. */
export const DIRECTORY = new Proxy(env.DIRECTORY, {
  get(database, name) {
    const member = Reflect.get(database, name)
    if (name !== 'batch') return member.bind(database)
    return async (statements: D1PreparedStatement[]) => {
      const { moment, run } = interruption ?? {}
      interruption = undefined
      if (moment === 'before') await run?.()
      const results = await database.batch(statements)
      if (moment === 'after') await run?.()
      return results
    }
  },
})

/** A new user of this browser's deployment, who is signed in in another browser as well. */
export async function signInTwice(browser: Browser) {
  const { handle, userId } = await signInNewUser(browser)
  const other = new Browser()
  await other.signIn(handle)
  const endOtherSessions = () => other.post('/account/sessions', { sid: 'others' })
  return { userId, endOtherSessions }
}
