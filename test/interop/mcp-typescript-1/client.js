import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { ISSUER, MCP_URL, PORT, CLIENT_METADATA_URL, BROWSER } = process.env

/** What the client remembers, in memory. */
class Credentials {
  redirectUrl = `http://127.0.0.1:${PORT}/callback`
  opened = []
  #state = crypto.randomUUID()

  constructor({ clientMetadataUrl, addedScope = '' }) {
    this.clientMetadataUrl = clientMetadataUrl
    this.addedScope = addedScope
  }

  get clientMetadata() {
    return { client_name: 'An older assistant', redirect_uris: [this.redirectUrl] }
  }
  state = () => this.#state
  clientInformation = () => this.client
  saveClientInformation = (client) => {
    this.client = client
  }
  codeVerifier = () => this.verifier
  saveCodeVerifier = (verifier) => {
    this.verifier = verifier
  }
  tokens = () => this.saved
  saveTokens = (tokens) => {
    this.saved = tokens
  }
  /** The login service no longer accepts them. Without the tokens, the user is asked again. */
  invalidateCredentials = (scope) => {
    if (scope === 'all' || scope === 'tokens') this.saved = undefined
    if (scope === 'all' || scope === 'client') this.client = undefined
  }
  redirectToAuthorization = (url) => {
    url.searchParams.set('scope', url.searchParams.get('scope') + this.addedScope)
    this.opened.push(url)
  }

  /** Opens the user's browser, and receives the code at a loopback address. */
  async authorize() {
    const server = createServer((_, response) => response.end()).listen(PORT, '127.0.0.1')
    const [[request]] = await Promise.all([
      once(server, 'request'),
      promisify(execFile)(BROWSER, [this.opened.at(-1).href]),
    ])
    server.close()
    const { searchParams } = new URL(request.url, this.redirectUrl)
    if (searchParams.get('state') !== this.#state) throw new Error('The state is wrong.')
    return searchParams.get('code')
  }
}

function create(credentials) {
  const url = new URL(MCP_URL)
  const transport = new StreamableHTTPClientTransport(url, { authProvider: credentials })
  return { transport, client: new Client({ name: 'test', version: '1.0.0' }) }
}

/** The error of an operation that needs the user. */
async function requireUser(operation, transport, credentials) {
  const error = await operation.then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof UnauthorizedError)) throw error ?? new Error('The user was not asked.')
  await transport.finishAuth(await credentials.authorize())
}

function check(isCorrect, message) {
  if (!isCorrect) throw new Error(message)
}

/** A client whose user has allowed it. */
async function connect(credentials) {
  const first = create(credentials)
  await requireUser(first.client.connect(first.transport), first.transport, credentials)
  const { client, transport } = create(credentials)
  await client.connect(transport)
  const call = async (name, args = {}) =>
    JSON.stringify(await client.callTool({ name, arguments: args }))
  return { client, transport, call }
}

async function revoke(credentials) {
  const { client_id, client_secret = '' } = credentials.client
  const body = new URLSearchParams({ token: credentials.tokens().refresh_token })
  // It registers itself with the default method, client_secret_basic.
  const headers = client_secret
    ? { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` }
    : {}
  if (!client_secret) body.set('client_id', client_id)
  const response = await fetch(`${ISSUER}/oidc/revoke`, { method: 'POST', headers, body })
  check(response.ok, 'The token was not revoked.')
}

for (const clientMetadataUrl of [CLIENT_METADATA_URL, undefined]) {
  const credentials = new Credentials({ clientMetadataUrl })
  const { client, transport, call } = await connect(credentials)
  const isRegistered = credentials.client.client_id !== CLIENT_METADATA_URL
  check(isRegistered === !clientMetadataUrl, 'It has identified itself in the other way.')
  const { tools } = await client.listTools()
  check(tools.length === 2, 'There are not two tools.')
  check((await call('list_orders')).includes('A-1042'), 'There are no orders.')
  const cancel = ['cancel_order', { id: 'A-1042' }]
  await requireUser(call(...cancel), transport, credentials)
  check((await call(...cancel)).includes('cancelled'), 'The order was not cancelled.')
  await client.close()

  // It requests offline_access only if the program that uses it adds that, and then refreshes its
  // token instead of asking for a further scope.
  const lasting = new Credentials({ clientMetadataUrl, addedScope: ' offline_access' })
  const {
    client: lastingClient,
    transport: lastingTransport,
    call: lastingCall,
  } = await connect(lasting)
  const former = lasting.tokens()
  lasting.saveTokens({ ...former, access_token: 'expired' })
  await lastingCall('list_orders')
  check(lasting.tokens().refresh_token !== former.refresh_token, 'The token was not refreshed.')
  check(lasting.opened.length === 1, 'The user was asked again.')

  await revoke(lasting)
  lasting.saveTokens({ ...lasting.tokens(), access_token: 'expired' })
  await requireUser(lastingCall('list_orders'), lastingTransport, lasting)
  await lastingCall('list_orders')
  await lastingClient.close()
  console.log(`${credentials.client.client_id}: step-up, refresh, revocation`)
}
