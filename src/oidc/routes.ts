import { room } from '../http/room.ts'
import { readKeyring } from '../tokens/keyring.ts'

/** `/.well-known/…`: what relying apps and APIs need to know of us. */
export const oidc = room().get('/.well-known/jwks.json', async (c) => {
  const { jwks, etag } = await readKeyring(c.env, c.get('config'))
  c.header('Access-Control-Allow-Origin', '*')
  c.header('ETag', etag)
  // Five minutes, so that verifiers learn of a new key long before it signs.
  c.header('Cache-Control', 'public, max-age=300')
  if (c.req.header('If-None-Match') === etag) return c.body(null, 304)
  c.header('Content-Type', 'application/jwk-set+json')
  return c.body(jwks)
})
