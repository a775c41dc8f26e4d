import jwt from '@fastify/jwt'
import fastify from 'fastify'
import buildGetJwks from 'get-jwks'

const { ISSUER, API, PORT } = process.env

const jwks = buildGetJwks({ issuersWhitelist: [ISSUER], jwksPath: '/.well-known/jwks.json' })
const app = fastify()
app.register(jwt, {
  decode: { complete: true },
  secret: (_request, { header, payload }) =>
    jwks.getPublicKey({ kid: header.kid, alg: header.alg, domain: payload.iss }),
  verify: {
    allowedIss: ISSUER,
    allowedAud: API,
    algorithms: ['ES256'],
    checkTyp: 'at+jwt', // without it, ID tokens are accepted
  },
})
app.addHook('onRequest', async (request, reply) => {
  // get-jwks would report an unknown key as an error of the server.
  await request.jwtVerify().catch(() => reply.code(401).send({ error: 'invalid_token' }))
})
app.get('/', (request) => ({ sub: request.user.sub }))
app.listen({ port: Number(PORT), host: 'localhost' })
