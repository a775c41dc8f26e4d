import type * as z from 'zod/mini'
import type { AuditOrigin } from '../core/audit/audit-entry.ts'
import type { Config } from '../core/config/config.ts'
import type { OperationDescription, PathParameters } from './operation-description.ts'

/** A request for an operation, authorized and validated. */
export interface OperationRequest<Query, Body> extends PathParameters {
  env: Env
  config: Config
  query: Query
  body: Body
  /** What the caller may do. */
  scopes: readonly string[]
  /** For the audit log. */
  origin: AuditOrigin
}

interface TypedImplementation<Query, Body, Result> {
  query?: z.ZodMiniType<Query>
  /** A body in JSON. Without a schema, the request has none. */
  body?: z.ZodMiniType<Body>
  /** Describes a body that the called function validates itself. */
  bodyDescription?: z.ZodMiniType
  /** The body has one JSON value per line. */
  isNdjson?: boolean
  /** 204 if `response` is absent, otherwise 200 if this is absent. */
  status?: 201
  /** A response in JSON, or the media type of another one, for which `handle` returns the text. */
  response?: z.ZodMiniType<Result> | 'text/plain'
  handle(request: OperationRequest<Query, Body>): Promise<NoInfer<Result>>
}

export type Implementation = TypedImplementation<unknown, unknown, unknown>

export interface Operation extends OperationDescription, Implementation {
  id: string
}

/** Implements an operation; `handle` gets and returns the types of the schemas. */
export function implement<Query, Body, Result>(
  implementation: TypedImplementation<Query, Body, Result>,
): Implementation {
  return implementation as Implementation
}
