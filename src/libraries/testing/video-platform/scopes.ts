/** Every app with Login Kit has this scope, and users cannot deselect it. */
export const BASIC = 'user.info.basic'

/** The scopes an app can request, with their descriptions on the consent page. */
export const SCOPES: Readonly<Record<string, string>> = {
  [BASIC]: 'Your name and profile picture',
  'user.info.profile': 'Your username, bio, profile link and verified badge',
  'user.info.stats': 'How many followers, likes and videos you have',
}

/** Scopes are separated by commas. With spaces, they would be a single unknown scope. */
export function splitScopes(joined: string): string[] {
  return [...new Set(joined.split(',').filter((scope) => scope !== ''))]
}
