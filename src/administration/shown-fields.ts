/*
 * What the console and the commands show of a resource of the API. Commands import this file and the
 * descriptions of resources, so these must not import anything of the Worker.
 */

/** A value, which the console and the commands show each in their own way. */
export type ShownValue =
  | string
  | number
  | undefined
  /** A name that somebody has chosen, in any script. */
  | { name: string | undefined }
  /** In seconds since 1970. */
  | { time: number | undefined }
  /** An identifier, which is not broken into lines; `code` is one that people copy. */
  | { id: string | undefined }
  | { code: string | undefined }
  /** A state that needs attention, and since when. */
  | { problem: string; since?: number }
  /** A state in which everything works. */
  | { good: string }

/** The columns of a table, or the lines about one resource, by their labels. */
export type ShownFields<Resource> = Readonly<Record<string, (resource: Resource) => ShownValue>>

/** Some of the fields, in this order. */
export function pickFields<Resource, Label extends string>(
  fields: Readonly<Record<Label, (resource: Resource) => ShownValue>>,
  ...labels: readonly Label[]
): ShownFields<Resource> {
  return Object.fromEntries(labels.map((label) => [label, fields[label]]))
}
