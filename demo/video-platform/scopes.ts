/** Every app with Login Kit has it, and nobody can untick it. */
export const BASIC = 'user.info.basic'

/** The scopes a person can be asked for, with the words of the consent page. */
export const SCOPES: Readonly<Record<string, string>> = {
  [BASIC]: 'Your name and profile picture',
  'user.info.profile': 'Your username, bio, profile link and verified badge',
  'user.info.stats': 'How many followers, likes and videos you have',
}

/** Scopes are joined by a comma everywhere: a space makes one long, unknown scope. */
export function splitScopes(joined: string): string[] {
  return [...new Set(joined.split(',').filter((scope) => scope !== ''))]
}
