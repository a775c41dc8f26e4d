import { createVerifier } from 'vestibule-auth/verify'

/** Accepts the access tokens of servers, and the session tokens of the frontend `shop`. */
export const auth = createVerifier({
  issuer: process.env.LOGIN_URL ?? 'https://login.example.com',
  token: ['access', 'session'],
  audience: [process.env.API_URL ?? 'https://api.example.com', 'shop'],
})
