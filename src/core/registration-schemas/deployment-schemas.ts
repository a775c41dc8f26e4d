import * as z from 'zod/mini'
import { type Api, apiSchema } from './apis.ts'
import { clientSchema, type Registration } from './clients.ts'
import type { FieldShape, RegisteringFeature } from './registration-part.ts'

/** What describes the registrations of a deployment: fields of the core, and of its features. */
export type RegistrationSchema<Value> = z.ZodMiniType<Value> & { shape: FieldShape }

/** The schema of clients of a deployment with these features. It is created once, when it is used. */
export const clientSchemaOf = createOnce(
  (features): RegistrationSchema<Registration> =>
    withFields(
      clientSchema(),
      features.map(({ registrations }) => registrations?.clients?.fields),
    ),
)

/** The same for APIs. */
export const apiSchemaOf = createOnce(
  (features): RegistrationSchema<Api> =>
    withFields(
      apiSchema(),
      features.map(({ registrations }) => registrations?.apis?.fields),
    ),
)

function createOnce<Schema>(create: (features: readonly RegisteringFeature[]) => Schema) {
  const schemas = new WeakMap<readonly RegisteringFeature[], Schema>()
  return (features: readonly RegisteringFeature[]) => {
    const schema = schemas.get(features) ?? create(features)
    schemas.set(features, schema)
    return schema
  }
}

function withFields<Shape extends FieldShape>(
  { shape }: z.ZodMiniObject<Shape>,
  fields: readonly (FieldShape | undefined)[],
): z.ZodMiniObject<Shape> {
  return z.strictObject<Shape>(Object.assign({ ...shape }, ...fields))
}

/**
 * Reads the fields that a feature has declared. What exists without a registration has their
 * defaults.
 */
export function fieldReader<Shape extends FieldShape>(fields: Shape) {
  const schema = z.object(fields)
  return (registration: object) => schema.parse(registration)
}
