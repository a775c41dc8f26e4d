import { env } from 'cloudflare:workers'
import { createMcpHandler, McpServer, requireScopes } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import * as z from 'zod'
import { createVerifier } from '../../src/verify.ts'
import { cancelOrder, listOrders, type Settings } from './orders.ts'

const { AUTH_URL, ORDERS_URL } = env as unknown as Settings

const auth = createVerifier({
  issuer: AUTH_URL,
  audience: `${ORDERS_URL}/mcp`,
  scopes: ['orders:read'],
  metadata: { resource_name: 'Orders' },
})

/**
 * The same orders for agents: an MCP server. Clients that nobody has registered find the login
 * service through the challenge of the first response, ask the user for `orders:read`, and for
 * `orders:cancel` only when the user wants to cancel an order.
 */
export const mcp = new Hono()
  .use(cors({ origin: '*', exposeHeaders: ['WWW-Authenticate'] }))
  .get(auth.metadataPath, (c) => c.json(auth.metadata))
  .all('/mcp', auth.hono(), (c) => {
    const { userId = '', clientId = '', scopes } = auth.tokenOf(c)
    const resourceMetadataUrl = `${ORDERS_URL}${auth.metadataPath}`
    // The token is for this server alone, so its tools do not get it and cannot pass it on.
    return handler.fetch(c.req.raw, {
      authInfo: {
        token: '',
        clientId,
        scopes: [...scopes],
        resourceMetadataUrl,
        extra: { userId },
      },
    })
  })

const handler = createMcpHandler(({ authInfo }) => {
  const customer = String(authInfo?.extra?.['userId'])
  const server = new McpServer({ name: 'orders', version: '1.0.0' })
  server.registerTool('list_orders', { description: 'Lists the orders of the user.' }, () =>
    result({ customer, orders: listOrders(customer) }),
  )
  server.registerTool(
    'cancel_order',
    {
      description: 'Cancels an order that was not delivered yet.',
      inputSchema: z.object({ id: z.string() }),
      annotations: { destructiveHint: true },
      // Without them, the response is 403 with all of them (RFC 6750 §3.1), and the client asks
      // the user.
      scopeChallenge: requireScopes('orders:read', 'orders:cancel'),
    },
    ({ id }) => result({ order: cancelOrder(customer, id) }),
  )
  return server
})

function result(value: unknown) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(value) }] }
}
