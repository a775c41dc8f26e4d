import { startLogin } from 'vestibule-auth/testing'

/** A login service for trying the examples, with the stand-in for TikTok. All data is in memory. */

const API = 'http://localhost:8080'

const { url } = await startLogin({
  port: Number(process.env.PORT ?? 8787),
  clients: [
    {
      client_id: 'web',
      client_secret: 'secret-for-tests',
      redirect_uris: ['http://localhost:3000/auth/callback'],
      post_logout_redirect_uris: ['http://localhost:3000/'],
      resources: [API],
      first_party: true,
    },
    { client_id: 'shop', redirect_uris: ['http://localhost:5173/'], first_party: true },
  ],
})
process.stdout.write(`The login service is at ${url}\n`)
