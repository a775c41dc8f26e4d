import { Browser, serviceWith } from './browser.ts'

export interface Readiness {
  status: string
  checks: { name: string; ready: boolean; detail?: string; problem?: string; fix?: string }[]
}

export async function readReadiness(
  settings: Record<string, unknown>,
  browser = browserOf(settings),
) {
  const response = await browser.get('/readyz')
  const body = await response.json<Readiness>()
  const failed = body.checks.filter(({ ready }) => !ready)
  return { response, body, failed }
}

export function browserOf(settings: Record<string, unknown>): Browser {
  return new Browser(serviceWith(settings))
}
