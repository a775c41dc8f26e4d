import { createHash } from 'node:crypto'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { createVideoPlatform } from './demo/video-platform/app.ts'
import { APPS, app } from './demo/video-platform/apps.ts'
import { PERSONAS } from './demo/video-platform/personas.ts'
import keys from './test/oidc/signing-keys.json' with { type: 'json' }
import { backChannel } from './test/upstream/back-channel.ts'
import { hostileProvider } from './test/upstream/hostile-provider.ts'
import { openidProvider } from './test/upstream/openid-provider.ts'
import { plainOAuthServer } from './test/upstream/plain-oauth-server.ts'

/** The app under which the tested service is registered at the stand-in. */
const registration = app.parse({
  clientKey: 'sbaw8k2m5q9r4t7w1z',
  clientSecret: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
  name: 'Vestibule under test',
  kind: 'sandbox',
  scopes: ['user.info.basic', 'user.info.profile', 'user.info.stats'],
  redirectUris: [
    { platform: 'web', uri: 'https://login.example/api/auth/callback/tiktok' },
    { platform: 'desktop', uri: 'http://localhost:*/api/auth/callback/tiktok' },
  ],
  targetUsers: PERSONAS.map(({ handle }) => handle).filter((handle) => handle !== 'tova'),
})

const videoPlatform = createVideoPlatform({ apps: [...APPS, registration] })

const { d: _, ...publicKey } = keys.signer

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The world outside, as far as tests go: the stand-in, and upstreams of the other kinds. */
function outside(request: Request): Response | Promise<Response> {
  switch (new URL(request.url).hostname) {
    case 'op.example':
      return openidProvider(request)
    case 'hostile.example':
      return hostileProvider.fetch(request)
    case 'told.example':
      return backChannel.fetch(request)
    case 'git.example':
      return plainOAuthServer.fetch(request)
    default:
      return videoPlatform.fetch(request)
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        logLevel: 'error',
        plugins: [
          cloudflareTest({
            main: './src/index.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                AUTH_URL: 'https://login.example',
                AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
                AUTH_TIKTOK_ID: registration.clientKey,
                AUTH_TIKTOK_SECRET: registration.clientSecret,
                AUTH_TIKTOK_SCOPE: 'user.info.basic,user.info.profile',
                AUTH_TIKTOK_QR: 'on',
                AUTH_TIKTOK_TOKENS: 'keep',
                CLIENTS: [
                  {
                    client_id: 'shop',
                    client_name: 'The shop',
                    redirect_uris: ['https://shop.example/callback'],
                    first_party: true,
                  },
                  {
                    client_id: 'kiosk',
                    client_name: 'The kiosk',
                    redirect_uris: ['https://kiosk.example/callback'],
                  },
                  {
                    client_id: 'blog',
                    redirect_uris: ['https://blog.example/'],
                    first_party: true,
                  },
                  {
                    client_id: 'web',
                    client_name: 'The web app',
                    redirect_uris: ['https://web.example/callback'],
                    // of "web-secret: 100% a+b"
                    client_secrets_sha256: [
                      digestOf('web-secret: 100% a+b'),
                      digestOf('its next one'),
                    ],
                    resources: ['https://orders.example', 'https://stock.example'],
                    post_logout_redirect_uris: [
                      'https://web.example/bye',
                      'https://web.example/bye?x=1',
                    ],
                    backchannel_logout_uri: 'https://told.example/web',
                    first_party: true,
                  },
                  {
                    client_id: 'post',
                    redirect_uris: ['https://post.example/callback'],
                    client_secrets_sha256: [digestOf('post-secret')],
                    token_endpoint_auth_method: 'client_secret_post',
                    require_pkce: false,
                    first_party: true,
                    scope: 'openid profile',
                    backchannel_logout_uri: 'https://told.example/post',
                    id_token_signed_response_alg: 'ES256',
                    userinfo_signed_response_alg: 'ES256',
                    id_token_claims: 'full',
                    access_token_type: 'JWT',
                  },
                  // As the conformance plans register theirs: no PKCE, one address with a query.
                  {
                    client_id: 'certifier',
                    client_name: 'The certifier',
                    redirect_uris: ['https://certifier.example/callback'],
                    client_secrets_sha256: [digestOf('certifier-secret')],
                    require_pkce: false,
                    first_party: true,
                    post_logout_redirect_uris: ['https://certifier.example/post_logout_redirect'],
                    backchannel_logout_uri: 'https://told.example/certifier',
                  },
                  {
                    client_id: 'certifier-2',
                    redirect_uris: ['https://certifier.example/callback?dummy1=lorem&dummy2=ipsum'],
                    client_secrets_sha256: [digestOf('certifier-2-secret')],
                    require_pkce: false,
                    first_party: true,
                  },
                  {
                    client_id: 'certifier-post',
                    redirect_uris: ['https://certifier.example/callback'],
                    client_secrets_sha256: [digestOf('certifier-post-secret')],
                    token_endpoint_auth_method: 'client_secret_post',
                    require_pkce: false,
                    first_party: true,
                  },
                  {
                    client_id: 'signer',
                    redirect_uris: ['https://signer.example/callback'],
                    jwks: { keys: [publicKey] },
                    first_party: true,
                  },
                  {
                    client_id: 'native',
                    application_type: 'native',
                    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
                  },
                ],
                TEST_MIGRATIONS: await readD1Migrations('migrations'),
              },
              // Few enough to be used up in a test.
              ratelimits: {
                VISITS: { namespace_id: '1', simple: { limit: 600, period: 60 } },
                CALLS: { namespace_id: '2', simple: { limit: 300, period: 60 } },
              },
              // Whatever the worker fetches reaches one of these, at the platforms' real addresses.
              outboundService: (request) => outside(request as unknown as Request),
            },
          }),
        ],
        test: {
          name: 'workerd',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**'],
          setupFiles: ['./test/setup.ts'],
          isolate: false,
          // Races and ten thousand forgeries take their time on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['./test/e2e/start-services.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
})
