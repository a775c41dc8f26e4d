import * as z from 'zod/mini'

export interface FieldDescription {
  /** Fields of the same group are shown together. */
  group: string
  /** What it is, in plain words. */
  title: string
  description: string
}

export const ADVANCED = 'Advanced: '

/** The name of a group whose fields few registrations need. */
export function advanced(title: string): string {
  return ADVANCED + title
}

/**
 * What the console, the command line and the OpenAPI document say about fields of registrations.
 */
export const FIELD_DESCRIPTIONS = z.registry<FieldDescription>()

/**
 * Declares a field that administrators enter. docs/reference.md has the details. The schema must not
 * be that of another field, too.
 */
export function field<Schema extends z.ZodMiniType>(
  group: string,
  title: string,
  description: string,
  schema: Schema,
): Schema {
  FIELD_DESCRIPTIONS.add(schema, { group, title, description })
  return schema
}
