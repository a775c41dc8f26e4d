import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Problem } from '../foundation/values/problem.ts'

/** A request to the API that is not fulfilled, as its client is informed (RFC 9457). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly status: ContentfulStatusCode
  readonly problems: readonly Problem[]

  constructor(status: ContentfulStatusCode, detail: string, problems: readonly Problem[] = []) {
    super(detail)
    this.status = status
    this.problems = problems
  }
}

/** The same for what does not exist, and for clients that may not know whether it exists. */
export function notFound(): HttpProblem {
  return new HttpProblem(
    404,
    'There is nothing at this URL, or the access token is not valid for it.',
  )
}

/** The value, if there is one. Otherwise the response is 404. */
export function requireFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound()
  return value
}
