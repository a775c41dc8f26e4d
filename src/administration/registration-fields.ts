import * as z from 'zod/mini'

export interface FieldDescription {
  /** Fields of the same group are shown together. */
  group: string
  /** What it is, in plain words. */
  title: string
  description: string
}

const ADVANCED = 'Advanced: '

/** The name of a group whose fields few registrations need. */
export function advanced(title: string): string {
  return ADVANCED + title
}

/** The title of a group, if few registrations need its fields. */
export function advancedTitle(group: string): string | undefined {
  return group.startsWith(ADVANCED) ? group.slice(ADVANCED.length) : undefined
}

/**
 * What the console, the command line and the OpenAPI document say about fields of registrations.
 * docs/reference.md has the details.
 */
export const FIELD_DESCRIPTIONS = z.registry<FieldDescription>()

/** Declares a field that administrators enter. Its schema must not be that of another field, too. */
export function field<Schema extends z.ZodMiniType>(
  group: string,
  title: string,
  description: string,
  schema: Schema,
): Schema {
  FIELD_DESCRIPTIONS.add(schema, { group, title, description })
  return schema
}
