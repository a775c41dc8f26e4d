import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import type { Problem } from '../../../src/foundation/values/problem.ts'
import { issuedSecrets, LOGIN, serviceWith } from '../../browser.ts'
import { basic, bearer, formRequest } from '../../core/oidc/relying-app.ts'
import { config, newId, ORIGIN } from '../../core/registrations/stored-clients.ts'

export const ADMIN_API = `${LOGIN}/admin/api`

interface Call {
  method?: string
  /** Sent as JSON, or as it is if it is text. */
  body?: unknown
  headers?: Record<string, string>
}

type Service = ReturnType<typeof serviceWith>

/** Registers a machine client for the admin API, or with other fields, and requests a token. */
export async function connectMachine(
  fields: Record<string, unknown> = {},
  service: Service = serviceWith({}),
) {
  const clientId = newId('machine')
  const { secret: clientSecret = '' } = await clientStore.create(env, config, {
    registration: {
      client_id: clientId,
      grant_types: ['client_credentials'],
      scope: 'admin:read admin:write',
      resources: [ADMIN_API],
      ...fields,
    },
    origin: ORIGIN,
  })
  const requestToken = async () => {
    const form = { grant_type: 'client_credentials' }
    const response = await service(formRequest('/oidc/token', form, basic(clientId, clientSecret)))
    expect(response.status).toBe(200)
    const { access_token } = await response.json<{ access_token: string }>()
    issuedSecrets.add(access_token)
    return access_token
  }
  issuedSecrets.add(clientSecret)
  const token = await requestToken()
  return {
    clientId,
    token,
    /** In the same isolate. */
    requestToken,
    call: (path: string, call: Call = {}) => callApi(path, { ...call, token, service }),
  }
}

/** Sends a request to the admin API. */
export function callApi(
  path: string,
  {
    method = 'GET',
    body,
    headers = {},
    token,
    service = serviceWith({}),
  }: Call & { token?: string; service?: Service } = {},
): Promise<Response> {
  const isText = typeof body === 'string'
  return service(
    new Request(`${ADMIN_API}${path}`, {
      method,
      headers: {
        ...(token !== undefined && bearer(token)),
        ...(body !== undefined && !isText && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      redirect: 'manual',
    }),
  )
}

/** Requires an error in the format of RFC 9457, and returns it. */
export async function readProblem(response: Response) {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  const problem = await response.json<{
    title: string
    status: number
    detail: string
    problems?: Problem[]
    request_id: string
  }>()
  expect(problem).toMatchObject({ type: 'about:blank', status: response.status })
  expect(problem.request_id).toBe(response.headers.get('X-Request-Id'))
  return problem
}
