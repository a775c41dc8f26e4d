import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServiceOptions, Services } from '../../demo/services.ts'

/** Services in a process of their own, which can be killed without warning. */
export interface KillableServices extends Omit<Services, 'stop'> {
  /** The id of their process group. */
  group: number
  kill: () => Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./start-killable-services.ts', import.meta.url))

export async function startKillableServices(options: ServiceOptions): Promise<KillableServices> {
  // A process group of its own, so that one signal reaches the runtime and the program that would
  // restart it.
  const leader = fork(PROGRAM, [JSON.stringify(options)], { detached: true, execArgv: [] })
  const ended = once(leader, 'exit').then(() => {
    throw new Error('The services could not be started.')
  })
  const [origins] = await Promise.race([once(leader, 'message'), ended])
  ended.catch(() => {})
  const group = leader.pid ?? Number.NaN
  return {
    ...origins,
    group,
    kill: async () => {
      process.kill(-group, 'SIGKILL')
      await ended.catch(() => {})
      while (await isResponding(origins.login)) await sleep(10)
    },
  }
}

async function isResponding(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    () => true,
    () => false,
  )
}
