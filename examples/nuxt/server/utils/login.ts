import { createServer } from 'vestibule-auth/server'

/** The API that this app calls. */
export const API = process.env.API_URL ?? 'https://api.example.com'

export const login = createServer({
  url: process.env.LOGIN_URL ?? 'https://login.example.com',
  clientId: 'web',
  clientSecret: process.env.CLIENT_SECRET ?? '',
  secret: process.env.SESSION_SECRET ?? '', // openssl rand -base64 32
  origin: process.env.APP_URL ?? 'https://web.example.com',
  audiences: [API], // from `resources`
})
