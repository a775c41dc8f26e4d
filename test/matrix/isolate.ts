import {
  createExecutionContext,
  createScheduledController,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createVestibule } from '../../src/vestibule.ts'
import { OPEN_SETTINGS } from '../features/agents/unregistered-app.ts'
import { OWN_APP } from '../features/native-apps/native-app.ts'
import { registeredClients } from '../registered-clients.ts'
import { isHanging, withFaults } from './faults.ts'
import { matrixOptions } from './options.ts'

const { worker } = createVestibule(matrixOptions)

/** A handler of requests to the login service. */
export type Service = (request: Request) => Promise<Response>

/** Settings that only the matrix needs, such as those of its administrator. */
const settings: Record<string, unknown> = {
  ...OPEN_SETTINGS,
  UNREGISTERED_CLIENTS: { ...OPEN_SETTINGS.UNREGISTERED_CLIENTS, registration: true },
}

/** The clients of the settings. */
export const clients: object[] = [...registeredClients, OWN_APP]

export function addSettings(added: Record<string, unknown>): void {
  Object.assign(settings, added)
}

/**
 * An isolate in which nothing is cached yet. Requests come from different networks, so that none
 * reaches a limit.
 */
export function newIsolate(): Service {
  const deployment = { ...withFaults(env), ...settings, CLIENTS: clients }
  return async (request) => {
    const ctx = createExecutionContext()
    const headers = new Headers(request.headers)
    headers.set('CF-Connecting-IP', randomAddress())
    const response = await worker.fetch(new Request(request, { headers }), deployment, ctx)
    if (!isHanging()) await waitOnExecutionContext(ctx)
    return response
  }
}

/** Runs the jobs of the Cron Trigger. */
export function runSchedule(): Promise<void> {
  const deployment = { ...withFaults(env), ...settings, CLIENTS: clients }
  return worker.scheduled(createScheduledController(), deployment)
}

function randomAddress(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3))
  return `89.${a}.${b}.${c}`
}
