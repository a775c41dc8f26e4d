import { paint } from './paint.ts'
import { plain } from './plain.ts'

/** A page on which the platform ends a sign-in itself. Nothing comes back to us, and only the person sees it. */
export interface PlatformPage {
  /** The one word that the page names; its address has it as `error_type`. */
  word: string
  error: string
  errCode?: string
  cause: string
  fix: string
}

export const PLATFORM_PAGES: readonly PlatformPage[] = [
  {
    word: 'client_key',
    error: 'unauthorized_client',
    cause:
      'The platform does not know the key, or its app may not sign people in: a production app that is a draft or in review, an app without Login Kit, or a key of another portal of theirs.',
    fix: "Compare AUTH_TIKTOK_ID with the portal, add the Login Kit product, and use a sandbox's key until the app is live.",
  },
  {
    word: 'client_key',
    error: 'param_error',
    errCode: '10003',
    cause: 'The request names no key at all.',
    fix: 'Set AUTH_TIKTOK_ID. In a link of your own, the parameter is client_key, not client_id.',
  },
  {
    word: 'redirect_uri',
    error: 'invalid_request',
    cause:
      'The address to return to is not registered for this very key, letter for letter. A sandbox and its app have lists of their own, and so have the tabs Web and Desktop.',
    fix: 'Register <AUTH_URL>/api/auth/callback/tiktok where the key in use comes from: https on the Web tab, http://localhost:<port> on the Desktop tab. No final slash; localhost is not 127.0.0.1. See that Login Kit is added.',
  },
  {
    word: 'scope',
    error: 'invalid_scope',
    cause:
      'A scope that is asked for is not on the app, is not approved yet, or the list is not joined by commas.',
    fix: 'Ask for less in AUTH_TIKTOK_SCOPE (user.info.basic always works), or add the scope to the app and have it approved. Look at upstream_scope of your CLIENTS, too.',
  },
  {
    word: 'code_challenge',
    error: 'param_error',
    errCode: '10007',
    cause:
      'The address to return to is a loopback one, for which the platform wants PKCE, and the request has no challenge.',
    fix: 'This service always sends one: see what changes the request on its way, such as a link written by hand.',
  },
  {
    word: 'code_challenge_method',
    error: 'param_error',
    errCode: '10008',
    cause: 'The challenge is of another method than S256.',
    fix: 'This service always sends S256: see what changes the request on its way, such as a link written by hand.',
  },
  {
    word: 'non_sandbox_target',
    error: 'access_denied',
    cause:
      "The key is a sandbox's, and the account is not among its target users. An empty list lets nobody in, you included.",
    fix: 'Add the account in the portal, under the target users of the sandbox; it may take an hour. For everybody else, use the key of the app once it is live.',
  },
]

/** Explains a page by its word or its whole address, or all of them; 1 if there is no such page. */
export function explainPages(asked: string | undefined, asJson: boolean): number {
  const pages = asked === undefined ? PLATFORM_PAGES : findPages(asked)
  if (asJson) process.stdout.write(`${JSON.stringify({ pages }, null, 2)}\n`)
  else if (pages.length > 0) process.stdout.write(pages.map(describe).join('\n'))
  else process.stdout.write(`${unknown(asked ?? '')}\n`)
  return pages.length > 0 ? 0 : 1
}

/** The pages that a word, or an address with `error_type` in it, may mean. */
export function findPages(asked: string): PlatformPage[] {
  const details = URL.parse(asked)?.searchParams
  const word = details?.get('error_type') ?? asked
  const [error, errCode] = [details?.get('error'), details?.get('errCode')]
  const named = PLATFORM_PAGES.filter((page) => page.word === word)
  const exact = named.filter(
    (page) => page.error === error || (errCode && page.errCode === errCode),
  )
  return exact.length > 0 ? exact : named
}

function describe({ word, error, errCode, cause, fix }: PlatformPage): string {
  const names = errCode ? `${error}, ${errCode}` : error
  return `  ${paint('bold', word)} (${names})\n    ${cause}\n    ${paint('bold', 'Fix:')} ${fix}\n`
}

function unknown(word: string): string {
  const words = [...new Set(PLATFORM_PAGES.map((page) => page.word))].join(', ')
  return plain(`No page with the word ${word} is known. Known are ${words}.`)
}
