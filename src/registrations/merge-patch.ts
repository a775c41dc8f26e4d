/** {@link https://www.rfc-editor.org/rfc/rfc7396}, for the fields of a registration: null removes one. */
export function mergePatch(
  registration: Record<string, unknown>,
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const merged = Object.entries({ ...registration, ...changes })
  return Object.fromEntries(merged.filter(([, value]) => value !== null))
}
