import * as z from 'zod/mini'
import { sufficientScopes } from '../../../administration/admin-scopes.ts'
import { fieldDescriptions } from '../../../administration/field-descriptions.ts'
import type { Operation } from '../../../administration/operation.ts'
import type { Config } from '../../../core/config/config.ts'
import { adminApi } from '../admin-api.ts'

type JsonSchema = Record<string, unknown>

/**
 * The description of the API, generated from its operations ({@link https://spec.openapis.org/oas/v3.1.1}).
 */
export function openApiDocument(config: Config, operations: readonly Operation[]) {
  const { issuer } = config
  const { identifier, scopes } = adminApi(config)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Vestibule administration', version: '1' },
    servers: [{ url: identifier }],
    paths,
    components: {
      securitySchemes: {
        client_credentials: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `${issuer}/oidc/token`,
              scopes: Object.fromEntries(
                scopes.map(({ name, description }) => [name, description]),
              ),
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

function describeOperation({ id, path, scope, summary, details, ...operation }: Operation) {
  const { query, body, bodyDescription = body, isNdjson, response } = operation
  const status = operation.status ?? (response ? 200 : 204)
  return {
    operationId: id,
    summary,
    ...(details && { description: details.join(' ') }),
    // One of these is enough.
    security: sufficientScopes(scope).map((name) => ({ client_credentials: [name] })),
    parameters: [
      ...Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(query ? queryParameters(toJsonSchema(query)) : []),
    ],
    ...(bodyDescription && {
      requestBody: {
        required: bodyDescription._zod.optin === undefined,
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

/** The JSON Schema of the values that a schema accepts. */
function toJsonSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: fieldDescriptions(),
    override({ jsonSchema }) {
      delete jsonSchema['group']
      // Generated clients know integers, but not multiples of 1.
      if (jsonSchema.multipleOf === 1) {
        jsonSchema.type = 'integer'
        delete jsonSchema.multipleOf
      }
    },
  })
  return jsonSchema
}
