import type { AppContext } from '../../core/http/app-env.ts'
import { clearCookie, readSealedCookie, setSealedCookie } from '../../core/http/cookies.ts'
import { parseJsonObject } from '../../foundation/values/json.ts'
import { pagePath } from './page-path.ts'

/** Until the browser has followed the redirect. */
const LIFETIME = 60 // seconds

/** What a page of the console says once. */
interface ConsoleNotice {
  text: string
  undo?: UndoForm | undefined
}

/** A form that undoes a change. */
export interface UndoForm {
  /** The path that it is posted to. */
  action: string
  fields: Readonly<Record<string, string>>
}

/**
 * Redirects to a page of the console, which says once what has happened. The text is in a cookie,
 * because a link of someone else could contain any text, and URLs are logged.
 */
export async function redirectWithNotice(
  c: AppContext,
  path: string,
  notice: ConsoleNotice,
): Promise<Response> {
  const value = JSON.stringify({ path, ...notice })
  await setSealedCookie(c, 'notice', { value, maxAge: LIFETIME })
  return c.redirect(path, 303)
}

/** What has happened before this page. */
export async function takeNotice(c: AppContext): Promise<ConsoleNotice | undefined> {
  const notice = parseJsonObject((await readSealedCookie(c, 'notice')) ?? '')
  if (c.req.method !== 'GET' || !notice || notice['path'] !== pagePath(c)) return undefined
  clearCookie(c, 'notice')
  // We sealed it, so its content can be trusted.
  const { text, undo } = notice
  return { text: String(text), undo: undo as UndoForm | undefined }
}
