import { env } from 'cloudflare:workers'
import type { AdminRole } from '../../../src/features/admin/roles.ts'
import { Browser, serviceWith } from '../../browser.ts'
import { inputValues } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'

/**
 * An administrator's browser, signed in recently at a deployment that lists the user in
 * `AUTH_ADMINS`.
 */
export async function signInAdministrator(settings: Record<string, unknown> = {}) {
  const { browser, userId, handle } = await signInNewUser()
  const service = serviceWith({ AUTH_ADMINS: userId, ...settings })
  return { administrator: new Browser(service).withCookiesOf(browser), userId, handle }
}

/** The browser of a user whom the database lists as an administrator, signed in recently. */
export async function signInWithRole(role: AdminRole) {
  const { browser, userId } = await signInNewUser()
  await env.DIRECTORY.prepare("INSERT INTO administrators VALUES (?, ?, 1, 'operator')")
    .bind(userId, role)
    .run()
  return { browser, userId }
}

/** Opens the page with a form, and posts it with these fields. */
export async function submitForm(
  browser: Browser,
  path: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const page = await (await browser.get(path)).text()
  const [csrfToken = ''] = inputValues(page, 'csrfToken')
  return browser.post(path, { csrfToken, ...fields })
}
