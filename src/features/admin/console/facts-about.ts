import type { Fact } from '../../../administration/console/console-parts.tsx'
import type { ShownFields } from '../../../administration/shown-fields.ts'

/** What is known about a resource. */
export function factsAbout<Resource>(
  resource: Resource,
  fields: ShownFields<Resource>,
): readonly Fact[] {
  return Object.entries(fields).map(([label, show]) => [label, show(resource)])
}
