/** What a stranger's JSON says, if it is any. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same where only an object will do. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return value && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined
}
