/** A logout token as an app has received it at its back-channel address. */
export interface LogoutDelivery {
  path: string
  sid: string
  type: string
  body: string
}

/** The host of the apps' back-channel addresses; vitest.config.ts answers its requests. */
export const RECEIVER = 'https://told.example'

/** The deliveries that match, oldest first. */
export async function logoutDeliveries(
  filter: Partial<Pick<LogoutDelivery, 'path' | 'sid'>>,
): Promise<LogoutDelivery[]> {
  const response = await fetch(`${RECEIVER}/received`)
  const received = await response.json<LogoutDelivery[]>()
  return received.filter(
    ({ path, sid }) => path === (filter.path ?? path) && sid === (filter.sid ?? sid),
  )
}

/**
 * Sets how the app `web` responds to the logout token of this session: a status, `slow`,
 * `slow-500`, `hang`, `flood`.
 */
export function setReceiverResponse(sid: string, response: string): Promise<Response> {
  return fetch(`${RECEIVER}/order/${sid}/${response}`, { method: 'POST' })
}
