import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, inject, it } from 'vitest'
import { AGENT_DOCUMENT } from '../../interop/clients.ts'
import { Credentials } from '../../interop/mcp/credentials.ts'
import { SimulatedBrowser } from '../../interop/simulated-browser.ts'
import { CALLBACK } from './registrations.ts'

const services = inject('services')

/** An MCP client of a user with a browser. */
class Assistant {
  readonly browser = new SimulatedBrowser(services)
  readonly credentials: Credentials
  readonly #opened: URL[] = []

  constructor(options: { clientId?: string; clientMetadataUrl?: string } = {}) {
    this.credentials = new Credentials({
      ...options,
      redirectUrl: CALLBACK,
      openBrowser: (url) => void this.#opened.push(url),
    })
  }

  /** Connects, after the user has signed in and allowed it. */
  async connect(): Promise<Client> {
    await this.browser.register()
    const { client, transport } = this.#create()
    await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
    await this.authorize(transport)
    return this.reconnect()
  }

  /** Connects with the tokens that it has. */
  async reconnect(): Promise<Client> {
    const { client, transport } = this.#create()
    await client.connect(transport)
    return client
  }

  /** Lets the user allow what was requested last, and returns the scopes of that request. */
  async authorize(transport: Pick<StreamableHTTPClientTransport, 'finishAuth'>): Promise<string> {
    const request = this.#opened.at(-1)
    const callback = await this.browser.followTo(CALLBACK, request?.href ?? '')
    expect(callback.searchParams.get('state')).toBe(this.credentials.state())
    await transport.finishAuth(callback.searchParams)
    return request?.searchParams.get('scope') ?? ''
  }

  /** As if the access token had expired. */
  expireToken(): void {
    const tokens = this.credentials.tokens()
    if (tokens) this.credentials.saveTokens({ ...tokens, access_token: 'expired' })
  }

  async revoke(): Promise<Response> {
    const token = this.credentials.tokens()?.refresh_token ?? ''
    const client_id = this.credentials.clientInformation()?.client_id ?? ''
    const body = new URLSearchParams({ token, client_id })
    return fetch(`${services.login}/oidc/revoke`, { method: 'POST', body })
  }

  #create() {
    const transport = new StreamableHTTPClientTransport(new URL(services.mcp), {
      authProvider: this.credentials,
    })
    return { transport, client: new Client({ name: 'test', version: '1.0.0' }) }
  }
}

describe('an MCP client', () => {
  it('signs a user in and calls a tool, if it is registered', async () => {
    const assistant = new Assistant({ clientId: 'mcp-client' })
    const client = await assistant.connect()
    const user = await assistant.browser.sessionUser()

    expect(await client.callTool({ name: 'list_orders' })).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining(`"customer":"${user?.id}"`) }],
    })
    await client.close()
  })

  it.each([
    ['a metadata document', { clientMetadataUrl: AGENT_DOCUMENT.client_id }, /^https:/],
    ['a registration of its own', {}, /^dyn_/],
  ])(
    'with %s asks for further scopes, refreshes its token, and asks again after a revocation',
    async (...given) => {
      const [, options, clientId] = given
      const assistant = new Assistant(options)
      const client = await assistant.connect()
      const cancel = { name: 'cancel_order', arguments: { id: 'A-1042' } }

      expect(assistant.credentials.clientInformation()?.client_id).toMatch(clientId)
      expect(assistant.credentials.tokens()?.scope).toBe('orders:read offline_access')
      await expect(client.callTool(cancel)).rejects.toThrow(UnauthorizedError)
      const transport = client.transport as StreamableHTTPClientTransport
      const scope = await assistant.authorize(transport)
      expect(scope.split(' ').sort()).toEqual(['offline_access', 'orders:cancel', 'orders:read'])
      const result = await client.callTool(cancel)
      expect(JSON.stringify(result)).toContain('cancelled')

      const former = assistant.credentials.tokens()?.refresh_token
      assistant.expireToken()
      expect(JSON.stringify(await client.callTool({ name: 'list_orders' }))).toContain('cancelled')
      expect(assistant.credentials.tokens()?.refresh_token).not.toBe(former)

      expect((await assistant.revoke()).status).toBe(200)
      assistant.expireToken()
      await expect(client.callTool({ name: 'list_orders' })).rejects.toThrow(UnauthorizedError)
      await assistant.authorize(transport)
      expect(JSON.stringify(await client.callTool({ name: 'list_orders' }))).toContain('cancelled')
      await client.close()
    },
  )
})
