import type { ProxiedResponse } from './login-proxy.ts'

/** Changes a response of the service before it reaches the doctor. */
export type ResponseChange = (response: ProxiedResponse) => void

/** Applies changes only to responses from one path. */
export function onPath(path: string, ...changes: ResponseChange[]): ResponseChange {
  return (response) => {
    if (response.path !== path) return
    for (const change of changes) change(response)
  }
}

export function setStatus(status: number): ResponseChange {
  return (response) => {
    response.status = status
  }
}

export function setBody(body: string): ResponseChange {
  return (response) => {
    response.body = body
  }
}

/** Replaces members of a JSON object; those with the value undefined are removed. */
export function setMembers(members: Record<string, unknown>): ResponseChange {
  return (response) => {
    response.body = JSON.stringify({ ...JSON.parse(response.body), ...members })
  }
}

/** Replaces every key of a JWKS; a key for which undefined is returned is removed. */
export function changeKeys(
  change: (key: Record<string, unknown>) => object | undefined,
): ResponseChange {
  return (response) => {
    const jwks: { keys: Record<string, unknown>[] } = JSON.parse(response.body)
    const keys = jwks.keys.map(change).filter((key) => key !== undefined)
    response.body = JSON.stringify({ keys })
  }
}

/** Replaces a header, or removes it if the value is undefined. */
export function setHeader(name: string, value: string | undefined): ResponseChange {
  return ({ headers }) => {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
}

/** Replaces a part of every Set-Cookie header. */
export function changeCookies(part: string, replacement: string): ResponseChange {
  return ({ headers }) => {
    const lines = [headers['set-cookie'] ?? []].flat()
    headers['set-cookie'] = lines.map((line) => line.replace(part, replacement))
  }
}

/** Replaces a parameter of the URL in the Location header. */
export function setRedirectParameter(name: string, value: string): ResponseChange {
  return ({ headers }) => {
    const url = new URL(String(headers['location']))
    url.searchParams.set(name, value)
    headers['location'] = url.href
  }
}
