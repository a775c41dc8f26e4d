import { Browser, standIn } from './browser.ts'
import { NAME } from './user-name.ts'

/** Creates a user at the stand-in and returns the handle to sign in with. */
export async function createPlatformUser(profile: Record<string, unknown> = {}): Promise<string> {
  const handle = `u${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle, displayName: `${NAME} ${handle}`, ...profile })
  return handle
}

/** Signs a user in for the first time, with a browser and an account of their own. */
export async function signInNewUser(browser = new Browser()) {
  const handle = await createPlatformUser()
  // The platform shows its page, which counts as a recent sign-in where one is required.
  await browser.signIn(handle, { prompt: 'login' })
  const session = await browser.session()
  if (!session) throw new Error(`The sign-in of ${handle} did not start a session.`)
  const userId = session.user.id
  return { browser, handle, userId }
}
