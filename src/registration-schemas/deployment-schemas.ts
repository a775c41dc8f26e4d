import * as z from 'zod/mini'
import type { Feature } from '../feature.ts'
import { type Api, apiSchema } from './apis.ts'
import { clientSchema, type Registration } from './clients.ts'

/** Fields by name, each declared with `field`. */
export type FieldShape = Readonly<Record<string, z.ZodMiniType>>

/** What describes the registrations of a deployment: fields of the core, and of its features. */
export type RegistrationSchema<Value> = z.ZodMiniType<Value> & { shape: FieldShape }

type ClientShape = typeof clientSchema.shape

type ApiShape = typeof apiSchema.shape

interface Schemas {
  clients: RegistrationSchema<Registration>
  apis: RegistrationSchema<Api>
}

const schemas = new WeakMap<readonly Feature[], Schemas>()

/** The schemas of a deployment with these features, which are created once. */
export function schemasOf(features: readonly Feature[]): Schemas {
  const known = schemas.get(features) ?? createSchemas(features)
  schemas.set(features, known)
  return known
}

function createSchemas(features: readonly Feature[]): Schemas {
  const fieldsOf = (kind: keyof Schemas): FieldShape =>
    Object.assign({}, ...features.map(({ registrations }) => registrations?.[kind]?.fields))
  return {
    clients: z.strictObject<ClientShape>(
      Object.assign({ ...clientSchema.shape }, fieldsOf('clients')),
    ),
    apis: z.strictObject<ApiShape>(Object.assign({ ...apiSchema.shape }, fieldsOf('apis'))),
  }
}

/**
 * Reads the fields that a feature has declared. What exists without a registration has their
 * defaults.
 */
export function fieldReader<Shape extends FieldShape>(fields: Shape) {
  const schema = z.object(fields)
  return (registration: object) => schema.parse(registration)
}
