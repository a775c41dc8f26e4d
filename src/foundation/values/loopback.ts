/** Whether a URL's host is `localhost`, a subdomain of it, in 127.0.0.0/8, or ::1. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return /^(?:.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(host)
}
