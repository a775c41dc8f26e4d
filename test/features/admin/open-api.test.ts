import { describe, expect, it } from 'vitest'
import { LOGIN } from '../../browser.ts'
import { connectMachine } from './machine-client.ts'
import { operations } from './operations.ts'

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

describe('GET /admin/api/openapi.json', () => {
  it('describes every operation, with its scope, parameters and responses', async () => {
    const document = await readDocument()

    expect(document.openapi).toBe('3.1.1')
    expect(document.servers).toEqual([{ url: `${LOGIN}/admin/api` }])
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security }]) => [
        operationId,
        method,
        path.replaceAll(/\{(\w+)\}/g, ':$1'),
        security[0]?.['client_credentials']?.[0],
      ]),
    )
    const expected = operations.map(({ id, method, path, scope }) => [id, method, path, scope])
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
        expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
        expect(operation.responses['default']?.$ref).toBe('#/components/responses/problem')
      }
    }
    expect(document.components.responses['problem']).toBeDefined()
    expect(document.components.securitySchemes['client_credentials']).toMatchObject({
      flows: {
        clientCredentials: {
          tokenUrl: `${LOGIN}/oidc/token`,
          scopes: { 'admin:read': 'Read everything about this service and its users.' },
        },
      },
    })
  })

  it('describes the fields of registrations, with their defaults and descriptions', async () => {
    const { paths } = await readDocument()

    const body = paths['/clients']?.['post']?.requestBody
    expect(body?.required).toBe(true)
    expect(body?.content['application/json']?.schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['client_id'],
      properties: {
        redirect_uris: { type: 'array', items: { type: 'string' }, default: [] },
        first_party: {
          type: 'boolean',
          default: false,
          description: expect.stringMatching(/^Your own app: /),
        },
        application_type: { enum: ['web', 'native'] },
      },
    })
    expect(JSON.stringify(body)).not.toContain('secrets_sha256')
    const limit = paths['/clients']?.['get']?.parameters.find(({ name }) => name === 'limit')
    expect(limit).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    })
  })
})
