/** Parses untrusted JSON; returns `undefined` for anything that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses untrusted JSON; returns `undefined` for anything that is not a JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return value && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined
}
