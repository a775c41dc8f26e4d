import { createHash, randomUUID } from 'node:crypto'
import { Hono } from 'hono'

interface Code {
  challenge: string | undefined
  redirectUri: string
}

const codes = new Map<string, Code>()

/** An OAuth 2 server without OpenID Connect, with the endpoints of a self-hosted GitLab. */
export const plainOAuthServer = new Hono()
  .get('/oauth/authorize', (c) => {
    const { redirect_uri = '', state = '', code_challenge: challenge, as } = c.req.query()
    const code = randomUUID()
    codes.set(code, { challenge, redirectUri: redirect_uri })
    const parameters: Record<string, string> =
      as === 'deny' ? { error: 'access_denied', state } : { code, state }
    return c.redirect(`${redirect_uri}?${new URLSearchParams(parameters)}`)
  })
  .post('/oauth/token', async (c) => {
    const form = await c.req.parseBody()
    const code = codes.get(String(form['code']))
    codes.delete(String(form['code']))
    const isClientAuthenticated =
      form['client_id'] === 'git-client' && form['client_secret'] === 'git-secret-7Hk2'
    if (!isClientAuthenticated) return c.json({ error: 'invalid_client' }, 401)
    const challenge = createHash('sha256').update(String(form['code_verifier'])).digest('base64url')
    const isCodeValid =
      code && code.redirectUri === form['redirect_uri'] && code.challenge === challenge
    if (!isCodeValid) return c.json({ error: 'invalid_grant' }, 400)
    return c.json({
      access_token: 'git-access',
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: 'git-refresh',
      scope: 'read_user',
    })
  })
  .get('/api/v4/user', (c) => {
    if (c.req.header('Authorization') !== 'Bearer git-access')
      return c.json({ message: '401' }, 401)
    return c.json({
      id: 4711,
      username: 'gitta',
      name: 'Gitta Lab',
      email: 'gitta@mail.example',
      confirmed_at: '2020-01-01T00:00:00Z',
      avatar_url: 'https://git.example/gitta.png',
      web_url: 'https://git.example/gitta',
    })
  })
