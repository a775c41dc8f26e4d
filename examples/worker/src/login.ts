import { createServer, type RequestHeaders, UnavailableError } from 'vestibule-auth/server'

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

/** Null if the login service is unavailable, which does not mean signed out: respond with 503. */
export async function readAuth(request: RequestHeaders) {
  try {
    return await login.getToken(request)
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    console.error(error)
    return null
  }
}
