import { env } from 'cloudflare:workers'

export type UserObjectStub = ReturnType<typeof userObject>

/** The Durable Object of a user. */
export function userObject(userId: string) {
  return env.USERS.get(env.USERS.idFromName(userId))
}

/** A `USERS` binding whose objects reject every call, for `serviceWith`. */
export const UNAVAILABLE_USERS = {
  idFromName: () => 'any',
  get: () => new Proxy({}, { get: () => rejectCall }),
}

function rejectCall(): Promise<never> {
  return Promise.reject(new Error('Durable Object is overloaded.'))
}
