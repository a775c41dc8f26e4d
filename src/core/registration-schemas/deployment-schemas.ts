import * as z from 'zod/mini'
import { type Api, apiSchema } from './apis.ts'
import { clientSchema, type Registration } from './clients.ts'
import type { FieldShape, RegisteringFeature } from './registration-part.ts'

/** What describes the registrations of a deployment: fields of the core, and of its features. */
export type RegistrationSchema<Value> = z.ZodMiniType<Value> & { shape: FieldShape }

type ClientShape = typeof clientSchema.shape

type ApiShape = typeof apiSchema.shape

interface Schemas {
  clients: RegistrationSchema<Registration>
  apis: RegistrationSchema<Api>
}

const schemas = new WeakMap<readonly RegisteringFeature[], Schemas>()

/** The schemas of a deployment with these features, which are created once. */
export function schemasOf(features: readonly RegisteringFeature[]): Schemas {
  const known = schemas.get(features) ?? createSchemas(features)
  schemas.set(features, known)
  return known
}

function createSchemas(features: readonly RegisteringFeature[]): Schemas {
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
