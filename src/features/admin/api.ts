import { Hono } from 'hono'
import type * as z from 'zod/mini'
import { createOperationRequest } from '../../administration/create-operation-request.ts'
import { HttpProblem, notFound } from '../../administration/http-problem.ts'
import type { Operation } from '../../administration/operation.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { parseJson } from '../../foundation/values/json.ts'
import { validate } from '../../foundation/values/problem.ts'
import { requireApiCaller } from './authorization.ts'
import { MAX_IMPORTED_LINES } from './users/import-users.ts'

/** `/admin/api`, for machine clients and administrators. */
export function createAdminApi(operations: readonly Operation[]): Hono<AppEnv> {
  const api = new Hono<AppEnv>()
  for (const operation of operations) {
    api.on(operation.method, operation.path, (c) => handleOperation(c, operation))
  }
  for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
    api.all(path, async (c) => {
      await requireApiCaller(c, undefined)
      c.header('Allow', group.map(({ method }) => method.toUpperCase()).join(', '))
      throw new HttpProblem(405, 'This URL does not support the method.')
    })
  }
  api.all('*', async (c) => {
    await requireApiCaller(c, undefined)
    throw notFound()
  })
  return api
}

async function handleOperation(c: AppContext, operation: Operation): Promise<Response> {
  addToLog(c, { route: `/admin/api${operation.path}` })
  const caller = await requireApiCaller(c, operation.scope)
  const request = {
    query: operation.query && requireValid(operation.query, readQuery(c), 'The query is invalid.'),
    body: operation.body
      ? requireValid(operation.body, await readBody(c, operation), 'The body is invalid.')
      : await requireNoBody(c),
  }
  const result = await operation.handle(createOperationRequest(c, caller, request))
  if (!operation.response) return c.body(null, 204)
  return typeof result === 'string' ? c.text(result) : c.json(result as object, operation.status)
}

/** A parameter that is sent twice stays a list, which no schema accepts. An empty one is absent. */
function readQuery(c: AppContext): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries())
    .filter(([, values]) => values.join('') !== '')
    .map(([name, values]) => [name, values.length === 1 ? values[0] : values])
  return Object.fromEntries(entries)
}

/** What a body asks for would be ignored. */
async function requireNoBody(c: AppContext): Promise<undefined> {
  const { byteLength } = await c.req.arrayBuffer()
  if (byteLength > 0) throw new HttpProblem(400, 'The operation takes no body.')
}

async function readBody(c: AppContext, { isNdjson, method }: Operation): Promise<unknown> {
  // `c.req.text()` warns about media types that it does not know.
  const text = new TextDecoder().decode(await c.req.arrayBuffer())
  const type = c.req.header('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (text === '' && type === undefined) return undefined
  const expected = isNdjson
    ? ['application/x-ndjson']
    : ['application/json', ...(method === 'patch' ? ['application/merge-patch+json'] : [])]
  if (!type || !expected.includes(type)) {
    throw new HttpProblem(415, `The Content-Type must be ${expected.join(' or ')}.`)
  }
  // A line that is not JSON stays `undefined`, which is reported with its number.
  if (isNdjson) return splitLines(text).map(parseJson)
  const body = text === '' ? undefined : parseJson(text)
  if (body === undefined && text !== '') throw new HttpProblem(400, 'The body is not JSON.')
  return body
}

/** Too many lines are rejected before any of them is parsed. */
function splitLines(text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n', MAX_IMPORTED_LINES + 1)
  if (lines.length <= MAX_IMPORTED_LINES) return lines
  throw new HttpProblem(
    413,
    `The body has more than ${MAX_IMPORTED_LINES} lines; nothing was imported.`,
  )
}

function requireValid(schema: z.ZodMiniType, value: unknown, detail: string): unknown {
  const { data, problems } = validate(schema, value)
  if (problems.length > 0) throw new HttpProblem(400, detail, problems)
  return data
}
