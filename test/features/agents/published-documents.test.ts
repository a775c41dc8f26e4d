import { describe, expect, it } from 'vitest'
import { Browser } from '../../browser.ts'
import { signedInAsNewUser } from '../../core/oidc/relying-app.ts'
import { openService, UnregisteredApp } from './unregistered-app.ts'

/** Members that all of these documents have. */
const COMMON = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

const LOGO = 'https://agent.example/logo.svg'

/**
 * The metadata documents of well-known clients, with other hosts, and the redirect URI that each
 * client uses.
 */
const DOCUMENTS: [
  name: string,
  document: { client_name: string; [member: string]: unknown },
  redirectUri: string,
][] = [
  [
    'Claude Code',
    {
      ...COMMON,
      client_name: 'Claude Code',
      client_uri: 'https://agent.example',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    },
    'http://localhost:54213/callback',
  ],
  [
    'claude.ai',
    {
      ...COMMON,
      client_name: 'Claude',
      client_uri: 'https://agent.example',
      logo_uri: LOGO,
      redirect_uris: ['https://agent.example/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none',
      scope: 'openid',
      contacts: ['support@agent.example'],
      policy_uri: 'https://agent.example/privacy',
      tos_uri: 'https://agent.example/terms',
    },
    'https://agent.example/api/mcp/auth_callback',
  ],
  [
    'ChatGPT',
    {
      ...COMMON,
      client_name: 'ChatGPT',
      redirect_uris: ['https://agent.example/connector/oauth/abc'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://agent.example/oauth/jwks.json',
    },
    'https://agent.example/connector/oauth/abc',
  ],
  [
    'Visual Studio Code',
    {
      ...COMMON,
      client_name: 'Visual Studio Code',
      client_uri: 'https://agent.example',
      logo_uri: LOGO,
      redirect_uris: [
        'http://127.0.0.1:33418/',
        'http://localhost:33418/',
        'https://agent.example/redirect',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    'http://127.0.0.1:61022/',
  ],
  [
    'Copilot CLI',
    {
      ...COMMON,
      client_name: 'GitHub Copilot CLI',
      redirect_uris: ['http://127.0.0.1:33418/', 'http://localhost:33418/'],
      token_endpoint_auth_method: 'none',
    },
    'http://localhost:40111/',
  ],
]

describe('a metadata document like that of', () => {
  it.each(DOCUMENTS)('%s is accepted, with the redirect URI that it uses', async (...given) => {
    const [, document, redirect_uri] = given
    const app = await new UnregisteredApp().publish(document)
    const browser = new Browser(openService).withCookiesOf(await signedInAsNewUser())
    const page = await (await app.authorize(browser, { redirect_uri })).text()

    expect(page).toContain('id="approve"')
    expect(page).toContain(document.client_name)
  })
})
