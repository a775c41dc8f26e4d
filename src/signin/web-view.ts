/** Browsers inside of apps: they have cookies of their own, or none, and platforms refuse some of them. */
const WEB_VIEWS =
  /BytedanceWebview|musical_ly|trill_|Instagram|FBA[NV]\/|FB_IAB|Line\/|MicroMessenger|Snapchat|Twitter for|Pinterest\/|; wv\)/

/** The same page in the browser that the person has chosen, where the system knows a way to it. */
export function wayToBrowser(agent: string, url: string): string | undefined {
  if (!WEB_VIEWS.test(agent)) return undefined
  const { host, pathname, search, protocol } = new URL(url)
  const scheme = protocol.slice(0, -1)
  return /Android/.test(agent)
    ? `intent://${host}${pathname}${search}#Intent;scheme=${scheme};end`
    : `x-safari-${url}`
}
