import service, * as exported from '../src/index.ts'
import { interceptCalls } from './intercept-calls.ts'

/*
 * The login service, which measures how long requests wait for each binding and for the provider.
 * `GET /__times` returns the sums since the last call. Used by `bench/load.ts`.
 */

interface Times {
  calls: number
  milliseconds: number
}

let times: Record<string, Times> = {}

async function measure<T>(name: string, perform: () => PromiseLike<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await perform()
  } finally {
    const sum = times[name] ?? { calls: 0, milliseconds: 0 }
    times[name] = sum
    sum.calls += 1
    sum.milliseconds += performance.now() - startedAt
  }
}

const { fetch } = globalThis
globalThis.fetch = (...input: Parameters<typeof fetch>) =>
  measure('provider', () => fetch(...input))

let measured: Env | undefined

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === '/__times') {
      const result = times
      times = {}
      return Response.json(result)
    }
    const { SESSIONS, DIRECTORY, USERS, KEYRING, GUARDS, REVOCATIONS } = env
    const bindings = { SESSIONS, DIRECTORY, USERS, KEYRING, GUARDS, REVOCATIONS }
    measured ??= {
      ...env,
      ...Object.fromEntries(
        Object.entries(bindings).map(([name, binding]) => [
          name,
          interceptCalls<object>(binding, (perform) => measure(name, perform)),
        ]),
      ),
    } as Env
    const changed = measured
    return measure('requests', async () => service.fetch(request, changed, ctx))
  },
}

export const {
  UserObject,
  KeyringObject,
  GuardObject,
  RevocationsObject,
  MetricsObject,
  ClientMetadataObject,
} = exported
