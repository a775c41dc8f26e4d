import { type Api, OPENID_SCOPES } from '../core/registration-schemas/apis.ts'

/** The scopes of a client that no API has, so that no token contains them until one does. */
export function unknownScopes(scope: string, apis: readonly Pick<Api, 'scopes'>[]): string[] {
  const known = [...OPENID_SCOPES, ...apis.flatMap(scopeNames)]
  return scope.split(' ').filter((name) => name !== '' && !known.includes(name))
}

function scopeNames({ scopes }: { scopes: Readonly<Api['scopes']> }): string[] {
  return scopes.map(({ name }) => name)
}
