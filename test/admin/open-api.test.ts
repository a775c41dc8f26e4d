import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { toJsonSchema } from '../../src/admin/open-api.ts'
import { listOperations } from '../../src/admin/operations.ts'
import { LOGIN } from '../browser.ts'
import { connectMachine } from './machine-client.ts'

interface OpenApiDocument {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { securitySchemes: Record<string, unknown>; responses: Record<string, unknown> }
}

interface OpenApiOperation {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { description?: string; content?: object; $ref?: string }>
}

async function readDocument(): Promise<OpenApiDocument> {
  const { call } = await connectMachine()
  const response = await call('/openapi.json')
  expect(response.headers.get('Content-Type')).toBe('application/json')
  return response.json()
}

const schemas = listOperations().flatMap(({ id, query, body, bodyDescription, response }) =>
  Object.entries({ query, body, bodyDescription, response }).flatMap(([part, schema]) =>
    typeof schema === 'object' ? [[`${part} of ${id}`, schema] as const] : [],
  ),
)

/** zod's own conversion. */
function convertWithZod(schema: z.ZodMiniType): unknown {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { type } = zodSchema._zod.def
      // Ours are all integers, which zod expresses as a multiple of 1.
      if (type === 'number') {
        jsonSchema.type = 'integer'
        delete jsonSchema.multipleOf
      }
      delete jsonSchema.propertyNames
    },
  })
  return converted
}

/** The schema with all definitions inlined: zod refers to schemas that are used in several places. */
function inlineDefinitions(value: unknown, definitions: Record<string, unknown> = {}): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineDefinitions(item, definitions))
  if (typeof value !== 'object' || value === null) return value
  const { $defs = {}, $ref, ...rest } = value as Record<string, unknown>
  const known = { ...definitions, ...($defs as Record<string, unknown>) }
  const target = typeof $ref === 'string' ? known[$ref.replace('#/$defs/', '')] : undefined
  return Object.fromEntries(
    Object.entries({ ...(target as object | undefined), ...rest }).map(([name, field]) => [
      name,
      inlineDefinitions(field, known),
    ]),
  )
}

describe('GET /admin/api/openapi.json', () => {
  it('describes every operation, with its scope, parameters and responses', async () => {
    const document = await readDocument()

    expect(document.openapi).toBe('3.1.1')
    expect(document.servers).toEqual([{ url: `${LOGIN}/admin/api` }])
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security }]) => [
        operationId,
        method,
        path.replace('{id}', ':id'),
        security[0]?.['client_credentials']?.[0],
      ]),
    )
    const expected = listOperations().map(({ id, method, path, scope }) => [
      id,
      method,
      path,
      scope,
    ])
    expect(described.toSorted()).toEqual(expected.toSorted())
    const ids = expected.map(([id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('declares the parameters of each path, and refers only to what exists', async () => {
    const document = await readDocument()

    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
        expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
        expect(inPath.every(({ required }) => required)).toBe(true)
        expect(operation.summary).toMatch(/^[A-Z].*\.$/)
        expect(operation.responses['default']?.$ref).toBe('#/components/responses/problem')
      }
    }
    expect(document.components.responses['problem']).toBeDefined()
    expect(document.components.securitySchemes['client_credentials']).toMatchObject({
      flows: { clientCredentials: { tokenUrl: `${LOGIN}/oidc/token` } },
    })
  })
})

describe('the JSON Schema of a request or response', () => {
  it.each(schemas)('is the same as that of zod: %s', (_, schema) => {
    expect(inlineDefinitions(toJsonSchema(schema))).toEqual(
      inlineDefinitions(convertWithZod(schema)),
    )
  })
})
