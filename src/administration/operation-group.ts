import type { Child } from 'hono/jsx'
import type * as z from 'zod/mini'
import type { AppContext } from '../core/http/app-env.ts'
import type { Copies } from '../core/users/directory-rows.ts'
import type { ConsoleSection } from './console/section.ts'
import type { Implementation } from './operation.ts'
import type { OperationTable } from './operation-description.ts'
import type { OperationSchemas } from './operation-schemas.ts'

export type ImportFields = Partial<Record<keyof Copies, z.ZodMiniType<string | undefined>>>

/** Operations of the admin API, and what the console and the commands show of them. */
export interface OperationGroup<Id extends string = string> {
  /** In a file of its own, which the commands import. */
  table: OperationTable<Id>
  /** What they do. The first request to `/admin` calls it, because most isolates never get one. */
  createImplementations(schemas: OperationSchemas): Readonly<Record<Id, Implementation>>
  /** What the page of a user has of these operations. */
  showUser?(c: AppContext, userId: string): Promise<Child>
  /** Pages of the console. */
  sections: readonly ConsoleSection[]
  /** The fields of an imported user, which are stored in the columns of `users` with their names. */
  importFields?(): ImportFields
}
