import { Browser, standIn } from './browser.ts'

/** Creates a user at the stand-in and returns the handle to sign in with. */
export async function createPlatformUser(profile: Record<string, unknown> = {}): Promise<string> {
  const handle = `u${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle, ...profile })
  return handle
}

/** Signs a user in for the first time, with a browser and an account of their own. */
export async function signInNewUser(browser = new Browser()) {
  const handle = await createPlatformUser()
  // The platform shows its page, which counts as a recent sign-in where one is required.
  await browser.signIn(handle, { prompt: 'login' })
  const userId = (await browser.session())?.user.id ?? ''
  return { browser, handle, userId }
}
