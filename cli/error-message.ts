/**
 * The message of an error. An error of a connection that failed at several addresses has only a
 * code.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return 'the request timed out'
  return error.message || ('code' in error ? String(error.code) : error.name)
}
