import { text } from 'node:stream/consumers'
import { startLoopbackServer } from '../../e2e/loopback-server.ts'
import type { Delivery } from './history.ts'
import type { Random } from './random.ts'

/** The receiver of the webhook, which does not accept everything at the first attempt. */
export async function startWebhookReceiver(random: Random) {
  const deliveries: Delivery[] = []
  let isReliable = false
  const { port, close } = await startLoopbackServer(async (request, response) => {
    await text(request)
    const isAccepted = isReliable || !random.chance(0.03)
    deliveries.push({ kind: 'delivery', id: String(request.headers['webhook-id']), isAccepted })
    response.writeHead(isAccepted ? 204 : 500).end()
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    deliveries,
    /** Accepts everything from now on. */
    becomeReliable: () => {
      isReliable = true
    },
    close,
  }
}
