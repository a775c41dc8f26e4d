/** The claims of a token that came from the login service; APIs verify it. */
export function decodeClaims<Claims>(token: string): Claims {
  const [, payload = ''] = token.split('.')
  const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  return JSON.parse(text)
}
