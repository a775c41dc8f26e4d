import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { blockUser, unblockUser } from '../../../src/features/admin/users/manage-users.ts'
import { nowInSeconds } from '../../../src/foundation/values/clock.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { issuedSecrets } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { RECEIVER, setReceiverResponse } from '../../core/oidc/logout-token-receiver.ts'
import { readConfig } from '../../deployment.ts'
import { connectMachine } from '../admin/machine-client.ts'

const { worker } = createVestibule(options)

/** Lets more than a minute pass, and then the Cron Trigger start the Worker. */
export async function runSchedule(changes: Record<string, unknown> = {}): Promise<void> {
  advanceClock(MINUTE + 1)
  await startRun(changes)
}

/** Starts the Worker as the Cron Trigger does. */
export async function startRun(changes: Record<string, unknown> = {}): Promise<void> {
  await worker.scheduled(createScheduledController(), { ...env, ...changes })
}

type Call = Awaited<ReturnType<typeof connectMachine>>['call']

interface SentEvent {
  id: string
  type: string
  timestamp: string
  data: Record<string, string>
}

/** A webhook of this name and its receiver. `api` calls the admin API. */
export async function registerWebhook(fields: Record<string, unknown> = {}) {
  const name = `w${crypto.randomUUID().slice(0, 8)}`
  // Tokens expire, and tests move the clock.
  const call: Call = async (...request) => (await connectMachine()).call(...request)
  const path = `/webhooks/${name}`
  const url = `${RECEIVER}/events/${name}`
  const body = { webhook_id: name, url, ...fields }
  const response = await call('/webhooks', { method: 'POST', body })
  expect(response.status).toBe(201)
  const { webhook_secret: secret } = await response.json<{ webhook_secret: string }>()
  issuedSecrets.add(secret)
  const requests = async () => {
    const received = await fetch(url)
    return received.json<{ headers: Record<string, string>; body: string }[]>()
  }
  return {
    name,
    secret,
    requests,
    /** Calls an operation on the webhook. */
    call: (suffix = '', method = 'GET', body?: unknown) => call(path + suffix, { method, body }),
    /** What `getWebhook` returns. */
    state: async () => (await call(path)).json<Record<string, unknown>>(),
    deliveries: async () => {
      const list = await call(`${path}/deliveries`)
      return (await list.json<{ items: Record<string, unknown>[] }>()).items
    },
    /** Sets how it responds to all events, or to those of one type. */
    respond: (how: string, type?: string) =>
      setReceiverResponse(encodeURIComponent(type ? `${name} ${type}` : name), how),
    /** The received events, which the receiver has verified with this secret. */
    events: async (withSecret = secret): Promise<SentEvent[]> => {
      const response = await fetch(`${url}/verified`, { headers: { secret: withSecret } })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    },
    delete: () => call(path, { method: 'DELETE' }),
  }
}

const origin = { actor: 'usr_event_test', requestId: 'TEST' }

/** Otherwise later tests, which begin at an earlier time, would send to these webhooks or find these events. */
export async function deleteWebhooksAndEvents(): Promise<void> {
  await env.DIRECTORY.exec('DELETE FROM webhooks')
  await env.DIRECTORY.exec(`DELETE FROM audit WHERE actor = '${origin.actor}'`)
}

/** Other tests, which moved the clock, may have caused events at times that are yet to come. */
export async function deleteLaterEvents(): Promise<void> {
  await env.DIRECTORY.prepare('DELETE FROM audit WHERE at > ?').bind(nowInSeconds()).run()
}

/** Causes two events about a user: `user.blocked` and `user.unblocked`. */
export async function blockAndUnblock(userId: string): Promise<void> {
  const config = readConfig(env)
  await blockUser(env, config, { userId, origin })
  advanceClock(1) // So that their order is known.
  await unblockUser(env, config, { userId, origin })
}
