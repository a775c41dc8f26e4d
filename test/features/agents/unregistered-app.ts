import * as client from 'openid-client'
import { expect } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { formRequest, type ParameterChanges } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { unescapeHtml } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'
import type { PublishedFile } from '../../upstream/published-file.ts'

/** An API that is open to unregistered clients, and one that is not. */
export const NOTES = 'https://notes.example'
export const PAYROLL = 'https://payroll.example'

/** A deployment that accepts the metadata documents of the tests. */
export const OPEN_SETTINGS = {
  UNREGISTERED_CLIENTS: { hosts: ['*.agents.example'] },
  APIS: [
    {
      identifier: NOTES,
      scopes: [
        { name: 'notes:read', description: 'Read your notes.' },
        { name: 'notes:write', description: 'Change your notes.' },
      ],
      unregistered_client_scopes: ['notes:read'],
    },
    { identifier: PAYROLL, scopes: [{ name: 'payroll:read', description: 'Read salaries.' }] },
  ],
}

export const openService = serviceWith(OPEN_SETTINGS)

/** An app that nobody has registered. Each one has a host of its own. */
export class UnregisteredApp {
  readonly host: string
  readonly origin: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier = client.randomPKCECodeVerifier()

  constructor(host = `${crypto.randomUUID()}.agents.example`, path = '/oauth/client.json') {
    this.host = host
    this.origin = `https://${host}`
    this.clientId = `${this.origin}${path}`
    this.redirectUri = `${this.origin}/callback`
  }

  /** Its metadata, with these changes. */
  metadata(changes: object = {}): object {
    return {
      client_id: this.clientId,
      client_name: 'An agent',
      redirect_uris: [this.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...changes,
    }
  }

  /** Publishes its metadata document, with these changes. */
  async publish(changes: object = {}, file: PublishedFile = {}): Promise<this> {
    await publish(this.clientId, { body: JSON.stringify(this.metadata(changes)), ...file })
    return this
  }

  async authorizationPath(changes: ParameterChanges = {}): Promise<string> {
    const parameters = {
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope: 'openid offline_access notes:read',
      resource: NOTES,
      code_challenge: await client.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    const present = Object.entries(parameters).filter(([, value]) => value !== undefined)
    return `/oidc/authorize?${new URLSearchParams(present as [string, string][])}`
  }

  async authorize(browser: Browser, changes: ParameterChanges = {}): Promise<Response> {
    return browser.get(await this.authorizationPath(changes))
  }

  /** Sends an authorization request, which the user approves, and returns the code. */
  async code(browser: Browser, changes: ParameterChanges = {}): Promise<string> {
    const response = await approveConsent(browser, await this.authorize(browser, changes))
    return redirectUrl(response).searchParams.get('code') ?? ''
  }

  /** Sends a token request. */
  async token(form: Record<string, string>, service = openService): Promise<Response> {
    return service(formRequest('/oidc/token', { client_id: this.clientId, ...form }))
  }

  /** Exchanges a code. */
  exchange(code: string, changes: Record<string, string> = {}): Promise<Response> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...changes,
    })
  }
}

export async function signedIn(service = openService): Promise<Browser> {
  const browser = new Browser(service)
  await browser.signIn('mia')
  return browser
}

/** Makes the server of an app respond like this. */
export async function publish(url: string, file: PublishedFile): Promise<void> {
  await fetch(url, { method: 'PUT', body: JSON.stringify(file) })
}

/** How often the service has fetched a URL. */
export async function countFetches(url: string): Promise<number> {
  return (await fetch(url, { method: 'POST' })).json()
}

/** The response to an app that is not sent: a page asks the user, and has this link. */
export async function unsentResponse(response: Response): Promise<URL> {
  expect([response.status, response.headers.get('Location')]).toEqual([400, null])
  expect(response.headers.get('Refresh')).toBeNull()
  const [, href = ''] = /<a id="continue" href="([^"]*)"/.exec(await response.text()) ?? []
  return new URL(unescapeHtml(href))
}

/** Changes to a document that users must know of, and the parameters of the next request. */
export const DOCUMENT_CHANGES: [
  name: string,
  changes: (app: UnregisteredApp) => object,
  parameters?: (app: UnregisteredApp) => Record<string, string>,
][] = [
  ['its name changes', () => ({ client_name: 'Another agent' })],
  [
    'it has another redirect URI',
    (app) => ({ redirect_uris: [app.redirectUri, `${app.origin}/2`] }),
  ],
  [
    'its redirect URI is replaced',
    (app) => ({ redirect_uris: [`${app.origin}/2`] }),
    (app) => ({ redirect_uri: `${app.origin}/2` }),
  ],
  ['its scopes change', () => ({ scope: 'notes:read' })],
]
