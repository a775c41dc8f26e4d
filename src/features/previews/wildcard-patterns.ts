/*
 * The one wildcard that a first-party client can have among its redirect URIs, for previews:
 * `https://*.shop.pages.dev/` stands for every host with one more label. Commands import this file.
 */

/** Hosts below which anyone can have a name. The Public Suffix List has all of them. */
const SHARED_HOSTS = new Set(
  `amplifyapp.com appspot.com azurestaticapps.net azurewebsites.net cloudfront.net csb.app deno.dev
  firebaseapp.com fly.dev github.dev github.io gitlab.io herokuapp.com lovable.app netlify.app ngrok.app
  ngrok.dev ngrok.io ngrok-free.app ngrok-free.dev ondigitalocean.app onrender.com pages.dev r2.dev
  railway.app up.railway.app replit.app replit.dev run.app s3.amazonaws.com surge.sh trycloudflare.com
  vercel.app vercel.dev web.app webcontainer.io workers.dev`.split(/\s+/),
)

/** Names such as co.uk and com.br, approximately. */
const REGISTRY = /^(?:ac|co|com|edu|go|gob|gov|gv|ne|net|nom|or|org)\.[a-z]{2}$/

const LABEL = /^(?!xn--)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

/** The host below which the previews are; undefined if the wildcard is not a whole first label. */
export function previewParent(pattern: string): string | undefined {
  const [, parent] = /^https:\/\/\*\.([a-z\d.-]+)\/[^*?#]*$/.exec(pattern) ?? []
  if (parent === undefined) return undefined
  // As the URL parser would write it: no dots at the end or in a row, no IP address, no `..`.
  const preview = pattern.replace('*', 'a')
  const url = URL.parse(preview)
  const areLabels = parent.split('.').every((label) => /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/.test(label))
  return url?.href === preview && areLabels ? parent : undefined
}

/** Why a pattern cannot be used, as the end of a sentence; undefined if it can. */
export function previewProblem(pattern: string): string | undefined {
  const parent = previewParent(pattern)
  if (parent === undefined) {
    return 'has a wildcard, which must be the whole first label of an https host, such as https://*.preview.shop.example/callback, without a port or a query.'
  }
  const isShared = !parent.includes('.') || SHARED_HOSTS.has(parent) || REGISTRY.test(parent)
  return isShared ? sharedHostProblem(parent) : undefined
}

/** Why nobody may have a wildcard directly below a host. */
export function sharedHostProblem(host: string): string {
  return `has a wildcard directly below ${host}, where anyone can have a name: they would receive the codes of your users. Use a domain of your own for previews.`
}

/** Whether a pattern stands for this redirect URI. One that cannot be used stands for nothing. */
export function matchesPreview(pattern: string, redirectUri: string): boolean {
  return !previewProblem(pattern) && replacesWildcard(pattern, redirectUri)
}

/** The same for the origin of a page. */
export function matchesPreviewOrigin(pattern: string, origin: string): boolean {
  return !previewProblem(pattern) && replacesWildcard(new URL(pattern).origin, origin)
}

/** Whether two texts differ only in that one has a label where the other one has the wildcard. */
function replacesWildcard(pattern: string, text: string): boolean {
  const [before = '', after = ''] = pattern.split('*')
  const label = text.slice(before.length, text.length - after.length)
  return text === before + label + after && LABEL.test(label)
}
