import { TokenError } from '../../foundation/resource-server/token-error.ts'
import type { TokenSource } from './presented-token.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { Requirements, VerifiedToken } from './verifier.ts'

/** What the middleware needs of Hono's context. Hono's own type would fit only one version of it. */
interface HonoContext {
  req: { raw: Request }
  set(key: 'token', value: unknown): void
}

interface ExpressResponse {
  status(status: number): { set(headers: Record<string, string>): { json(body: unknown): unknown } }
}

interface FastifyReply {
  code(status: number): {
    headers(headers: Record<string, string>): { send(body: unknown): unknown }
  }
}

type Handler<Claims, Rest extends unknown[]> = (
  request: Request,
  token: VerifiedToken<Claims>,
  ...rest: Rest
) => Response | Promise<Response>

/** Rejects requests without a valid token, in the ways of several frameworks. */
export interface Middleware<Claims> {
  /**
   * Middleware for Hono 4. Handlers get the token with `tokenOf(c)`, or with `c.get('token')` if
   * the app's `Variables` have it.
   */
  hono(
    requirements?: Requirements,
  ): (c: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>
  /** Middleware for Express. Handlers get the token with `tokenOf(request)`. */
  express(
    requirements?: Requirements,
  ): (request: RequestHeaders, response: ExpressResponse, next: (error?: unknown) => void) => void
  /** A hook for Fastify, such as `onRequest`. Handlers get the token with `tokenOf(request)`. */
  fastify(
    requirements?: Requirements,
  ): (request: RequestHeaders, reply: FastifyReply) => Promise<unknown>
  /** A handler that gets the token, for Workers, route handlers of Next.js, Bun and Deno. */
  handler<Rest extends unknown[]>(
    handle: Handler<Claims, Rest>,
    requirements?: Requirements,
  ): (request: Request, ...rest: Rest) => Promise<Response>
  /**
   * The token of a request, or of Hono's context, that the middleware has verified. Throws if it
   * has not.
   */
  tokenOf(request: object): VerifiedToken<Claims>
}

type Verify<Claims> = (
  source: TokenSource,
  requirements?: Requirements,
) => Promise<VerifiedToken<Claims>>

export function createMiddleware<Claims>(verify: Verify<Claims>): Middleware<Claims> {
  const tokens = new WeakMap<object, VerifiedToken<Claims>>()

  /** Verifies and remembers the token of a request. Returns the error if it is not accepted. */
  async function check(
    request: RequestHeaders,
    requirements: Requirements | undefined,
  ): Promise<TokenError | undefined> {
    try {
      tokens.set(request, await verify(request, requirements))
      return undefined
    } catch (error) {
      if (error instanceof TokenError) return error
      throw error
    }
  }

  function tokenOf(request: object): VerifiedToken<Claims> {
    const token = tokens.get(request)
    if (!token) throw new Error('The token of this request was not verified.')
    return token
  }

  return {
    tokenOf,
    hono: (requirements) => async (c, next) => {
      const error = await check(c.req.raw, requirements)
      if (error) return error.toResponse()
      // Other middleware may replace the request.
      const token = tokenOf(c.req.raw)
      tokens.set(c, token)
      c.set('token', token)
      await next()
      return undefined
    },
    express: (requirements) => (request, response, next) => {
      check(request, requirements).then((error) => {
        if (!error) return next()
        response
          .status(error.status)
          .set({ ...error.headers })
          .json(error.body)
      }, next)
    },
    fastify: (requirements) => async (request, reply) => {
      const error = await check(request, requirements)
      return (
        error &&
        reply
          .code(error.status)
          .headers({ ...error.headers })
          .send(error.body)
      )
    },
    handler:
      (handle, requirements) =>
      async (request, ...rest) => {
        const error = await check(request, requirements)
        return error ? error.toResponse() : handle(request, tokenOf(request), ...rest)
      },
  }
}
