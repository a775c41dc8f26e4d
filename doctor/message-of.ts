/** What an error says. Of a connection that failed at several addresses, only its code tells. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return 'it took too long'
  return error.message || ('code' in error ? String(error.code) : error.name)
}
