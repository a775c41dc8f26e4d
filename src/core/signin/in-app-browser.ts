/**
 * Browsers inside other apps: they have their own cookies or none, and some providers reject them.
 */
const IN_APP_BROWSERS =
  /BytedanceWebview|musical_ly|trill_|Instagram|FBA[NV]\/|FB_IAB|Line\/|MicroMessenger|Snapchat|Twitter for|Pinterest\/|; wv\)/

export function isInAppBrowser(userAgent: string): boolean {
  return IN_APP_BROWSERS.test(userAgent)
}

/** A link that opens the same page in the system browser; `undefined` outside an in-app browser. */
export function systemBrowserUrl(userAgent: string, url: string): string | undefined {
  if (!isInAppBrowser(userAgent)) return undefined
  const { host, pathname, search, protocol } = new URL(url)
  const scheme = protocol.slice(0, -1)
  return /Android/.test(userAgent)
    ? `intent://${host}${pathname}${search}#Intent;scheme=${scheme};end`
    : `x-safari-${url}`
}
