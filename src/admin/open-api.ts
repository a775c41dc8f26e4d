import type * as z from 'zod/mini'
import type { Config } from '../config/config.ts'
import type { Operation } from './operation.ts'

type JsonSchema = Record<string, unknown>

/** The description of the API, generated from its operations ({@link https://spec.openapis.org/oas/v3.1.1}). */
export function openApiDocument({ issuer }: Config, operations: readonly Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(':id', '{id}')
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Vestibule administration', version: '1' },
    servers: [{ url: `${issuer}/admin/api` }],
    paths,
    components: {
      securitySchemes: {
        client_credentials: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `${issuer}/oidc/token`,
              scopes: {
                'admin:metrics': 'Read metrics and the state of the service',
                'admin:read': 'Read everything',
                'admin:write': 'Change',
              },
            },
          },
        },
      },
      responses: {
        problem: {
          description: 'Not fulfilled (RFC 9457)',
          content: { 'application/problem+json': { schema: PROBLEM } },
        },
      },
    },
  }
}

const PROBLEM: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: { type: 'array', items: { type: ['string', 'integer'] } },
          code: { type: 'string' },
          message: { type: 'string' },
        },
        required: ['path', 'code', 'message'],
      },
    },
    request_id: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'detail', 'request_id'],
}

function describeOperation({ id, path, scope, summary, ...operation }: Operation) {
  const { query, body, bodyDescription = body, isNdjson, response } = operation
  const status = operation.status ?? (response ? 200 : 204)
  return {
    operationId: id,
    summary,
    // One of these is enough.
    security: [
      { client_credentials: [scope] },
      ...(scope === 'admin:metrics' ? [{ client_credentials: ['admin:read'] }] : []),
    ],
    parameters: [
      ...(path.includes(':id')
        ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
        : []),
      ...(query ? queryParameters(toJsonSchema(query)) : []),
    ],
    ...(bodyDescription && {
      requestBody: {
        required: !isOptional(bodyDescription),
        content: {
          [isNdjson ? 'application/x-ndjson' : 'application/json']: {
            schema: toJsonSchema(bodyDescription),
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: 'Fulfilled',
        ...(response && {
          content:
            typeof response === 'string'
              ? { [response]: { schema: { type: 'string' } } }
              : { 'application/json': { schema: toJsonSchema(response) } },
        }),
      },
      default: { $ref: '#/components/responses/problem' },
    },
  }
}

function queryParameters({ properties, required }: JsonSchema) {
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as string[] | undefined)?.includes(name) ?? false,
    schema,
  }))
}

/**
 * The JSON Schema of the values that a schema accepts. It covers the types that our schemas use; zod's own
 * function covers all of them, and would be a fifteenth of the Worker. A test compares the two.
 */
export function toJsonSchema(schema: z.core.$ZodType): JsonSchema {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
      return toJsonSchema(def.innerType)
    case 'default':
      return { ...toJsonSchema(def.innerType), default: def.defaultValue }
    case 'lazy':
      return toJsonSchema(def.getter())
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
      return { type: 'integer', ...numberRange(def) }
    case 'enum':
      return { type: 'string', enum: Object.values(def.entries) }
    case 'array':
      return { type: 'array', items: toJsonSchema(def.element) }
    case 'object':
      return objectSchema(def)
    case 'unknown':
      return {}
    default:
      // Text with rules of its own, which are checked by code.
      return { type: 'string' }
  }
}

/** Our numbers are integers, and their bounds belong to the range. */
function numberRange({ checks = [] }: z.core.$ZodNumberDef): JsonSchema {
  const range: JsonSchema = {}
  for (const check of checks as z.core.$ZodChecks[]) {
    const { def } = check._zod
    if (def.check === 'greater_than') range['minimum'] = def.value
    if (def.check === 'less_than') range['maximum'] = def.value
  }
  return range
}

function objectSchema({ shape, catchall }: z.core.$ZodObjectDef): JsonSchema {
  const fields = Object.entries(shape)
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toJsonSchema(field)])),
    ...(required.length > 0 && { required }),
    ...(catchall && { additionalProperties: catchall._zod.def.type === 'never' ? false : {} }),
  }
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema._zod.optin !== undefined
}
