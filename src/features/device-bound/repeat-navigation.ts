import type { AppContext } from '../../core/http/app-env.ts'
import { isNavigation, isPrefetch, requestSite } from '../../core/http/fetch-metadata.ts'
import { continueAt } from '../../core/pages/continue-page.tsx'
import { readSessionCookie } from '../../core/session/session-cookie.ts'

/**
 * Browsers do not renew the bound cookie for a navigation that another site has started, such as that
 * of a third-party app. A page of ours repeats it, which they do renew it for. Only once: then the
 * navigation comes from our own origin.
 */
export async function repeatNavigation(c: AppContext): Promise<Response | undefined> {
  const site = requestSite(c)
  if (c.req.method !== 'GET' || site === undefined || site === 'same-origin') return undefined
  if (!isNavigation(c) || isPrefetch(c)) return undefined
  if (!(await readSessionCookie(c))?.lacksProof) return undefined
  const { pathname, search } = new URL(c.req.url)
  return continueAt(c, c.get('config').issuer + pathname + search)
}
