import type { AdminScope } from './admin-scopes.ts'

/*
 * Commands import the tables of operations, so this file and the tables must not import anything of
 * the Worker.
 */

/** What the API, the console and the command line need to know about an operation. */
export interface OperationDescription {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below `/admin/api`. It may have {@link PathParameters}, such as `:id`. */
  path: string
  scope: AdminScope
  /** A title, without a full stop. */
  summary: string
  /** What happens, and what else is worth knowing, in sentences. */
  details?: readonly string[]
  /** The text of the button on the page where the console asks for confirmation, if it has one. */
  button?: string
  /**
   * What the console says afterwards, in sentences. `{subject}` is the name of what was changed.
   * Absent if it shows the result.
   */
  done?: string
  /** The id of the operation that undoes it, which is no danger. The console offers it afterwards. */
  undo?: string
  /** A text that the page asks for, as a field of the body. It can be left out. */
  input?: OperationInput
  /** Whether users or clients lose their access, or something is deleted. */
  isDanger?: boolean
  /** Whether owners are changed only by those who may change administrators. */
  protectsOwners?: boolean
  /** Whether the browser stores the response as a file. */
  isDownload?: boolean
}

/** A text of the body of an operation. */
interface OperationInput {
  name: string
  label: string
  /** What it is for, in sentences. */
  hint: string
  maxLength: number
}

/** The parameters of paths. Those that a path does not have are empty. */
export interface PathParameters {
  id: string
  sid: string
  /** `provider:account id`, as administrators are listed. */
  account: string
  /** A `client_id`. */
  client: string
  /** The id of a secret. */
  secret: string
  /** The name of a role. */
  role: string
  /** The id of an event, which is that of an entry of the audit log. */
  event: string
}

/** Describe operations with these methods. */
export const get = describeWith('get')
export const post = describeWith('post')
export const put = describeWith('put')
export const patch = describeWith('patch')
export const remove = describeWith('delete')

function describeWith(method: OperationDescription['method']) {
  return (
    path: string,
    scope: AdminScope,
    texts: Omit<OperationDescription, 'method' | 'path' | 'scope'>,
  ): OperationDescription => ({ method, path, scope, ...texts })
}

/** Operations by id. It is unique, and generated clients use it as the name of a function. */
export type OperationTable<Id extends string = string> = Readonly<Record<Id, OperationDescription>>

/** What happens to a client that is no longer accepted. */
export const STOPPED =
  'Within a minute, nobody can sign in to the client, and its requests and tokens are rejected. APIs that read the revocation feed reject them within seconds, others accept them until they expire.'
