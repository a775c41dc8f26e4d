import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServiceOptions, Services } from '../../demo/services.ts'

/** Services in processes of their own: no warning reaches them before they die. */
export interface KillableServices extends Omit<Services, 'stop'> {
  kill: () => Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./run-services.ts', import.meta.url))

export async function startKillableServices(options: ServiceOptions): Promise<KillableServices> {
  // The leader of a group, so that one signal hits the runtime and the program that would restart it.
  const leader = fork(PROGRAM, [JSON.stringify(options)], { detached: true, execArgv: [] })
  const ended = once(leader, 'exit').then(() => {
    throw new Error('The services could not start.')
  })
  const [origins] = await Promise.race([once(leader, 'message'), ended])
  ended.catch(() => {})
  return {
    ...origins,
    kill: async () => {
      process.kill(-(leader.pid ?? Number.NaN), 'SIGKILL')
      await ended.catch(() => {})
      while (await answers(origins.login)) await pause(10)
    },
  }
}

async function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    () => true,
    () => false,
  )
}
