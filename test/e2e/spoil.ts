import type { ProxiedResponse } from './login-proxy.ts'

/** Makes something wrong with an answer. */
export type Spoil = (answer: ProxiedResponse) => void

/** Spoils what is answered at one address. */
export function at(path: string, ...spoils: Spoil[]): Spoil {
  return (answer) => {
    if (answer.path === path) for (const spoil of spoils) spoil(answer)
  }
}

export function status(value: number): Spoil {
  return (answer) => {
    answer.status = value
  }
}

export function body(value: string): Spoil {
  return (answer) => {
    answer.body = value
  }
}

export function members(values: Record<string, unknown>): Spoil {
  return (answer) => {
    answer.body = JSON.stringify({ ...JSON.parse(answer.body), ...values })
  }
}

/** Changes every key of a key set; those for which there is nothing are left out. */
export function keys(change: (key: Record<string, unknown>) => object | undefined): Spoil {
  return (answer) => {
    const { keys } = JSON.parse(answer.body)
    answer.body = JSON.stringify({
      keys: keys.flatMap((key: Record<string, unknown>) => change(key) ?? []),
    })
  }
}

export function header(name: string, value: string | undefined): Spoil {
  return ({ headers }) => {
    delete headers[name]
    if (value !== undefined) headers[name] = value
  }
}

/** Replaces a part of every cookie. */
export function cookie(part: string, other: string): Spoil {
  return ({ headers }) => {
    const lines = [headers['set-cookie'] ?? []].flat()
    headers['set-cookie'] = lines.map((line) => line.replace(part, other))
  }
}

/** Replaces a parameter of where the browser is sent. */
export function parameter(name: string, value: string): Spoil {
  return ({ headers }) => {
    const url = new URL(String(headers['location']))
    url.searchParams.set(name, value)
    headers['location'] = url.href
  }
}
