import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import type { Operation } from '../operation.ts'
import type { ConsoleLink } from './administrator.ts'
import type { Fact, TrailLink } from './console-parts.tsx'
import type { UndoForm } from './notice.ts'

/**
 * A section of the console. It has the operations whose path begins with its id; those with a button
 * get a page that asks for confirmation.
 */
export interface ConsoleSection extends ConsoleLink {
  /** What its operations change, such as `client`. */
  noun: string
  /** Whether each of these has a page, `/admin/<section>/:id`. */
  hasSubjectPages?: boolean
  /** Adds its pages and forms, with paths below `/admin`. */
  addRoutes(routes: Hono<AppEnv>, operations: OperationsById): void
  /** What a page that asks for confirmation says about the subject; undefined if there is none. */
  readSubject?(c: AppContext, id: string): Promise<Subject | undefined>
  /** What the page of a user has of this section. */
  showUser?(c: AppContext, userId: string): Promise<Child>
  /** The response to an operation that was confirmed, if not a redirect to its subject. */
  respond?(c: AppContext, operation: Operation, result: unknown): Promise<Response | undefined>
}

/** All operations of the deployment. */
export type OperationsById = ReadonlyMap<string, Operation>

/** What an operation changes. */
export interface Subject {
  link: TrailLink
  facts: readonly Fact[]
  /** Whether it is the signed-in administrator. */
  isOwn?: boolean
  /** What adds it again after its deletion, if all of it is known. */
  restore?: UndoForm | undefined
  /** What speaks against the change. */
  warning?: string | undefined
}
