/** Whether a provider's HTTP status reports a failure that may be gone on the next try. */
export function isTransientStatus(status: number): boolean {
  return status === 429 || status >= 500
}
