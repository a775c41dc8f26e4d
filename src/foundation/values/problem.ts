import type * as z from 'zod/mini'
import { nearestName } from './nearest-name.ts'

/** Something that is wrong with an option, a setting, a registration or a request. */
export interface Problem {
  /**
   * The names and positions that lead to the value. Empty if the problem belongs to no single one.
   */
  path: readonly (string | number)[]
  /**
   * `unlisted`: it has no effect, because the deployment does not list the feature it belongs to.
   * `unusable`: it is valid, but the provider cannot be used with it here.
   */
  code:
    | 'missing'
    | 'unknown'
    | 'unlisted'
    | 'unusable'
    | 'invalid'
    | 'exists'
    | 'not_found'
    | 'read_only'
  /** The end of a sentence that begins with the path; a complete sentence if the path is empty. */
  message: string
}

/** Part of the messages of what belongs to a known feature. */
export const UNLISTED = 'which features does not list'

/** The message of what has no effect without a feature. `call`: how deployments list the feature. */
export function needsFeature(call: string): string {
  return `needs ${call}, ${UNLISTED}: import it from vestibule-auth/features and add it.`
}

/**
 * The problem as a sentence, such as "theme.radius must be a CSS length, such as 0, 8px or 0.5rem."
 */
export function formatProblem({ path, message }: Pick<Problem, 'path' | 'message'>): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`
}

/** Parses a value, which the problems name by this path. Without problems, there is data. */
export function validate<Value>(
  schema: z.ZodMiniType<Value>,
  value: unknown,
  path: Problem['path'] = [],
): { data?: Value; problems: Problem[] } {
  const { data, error } = schema.safeParse(value, { error: describeIssue, reportInput: true })
  if (error) return { problems: error.issues.flatMap((issue) => toProblems(issue, path)) }
  return { data, problems: [] }
}

function toProblems(issue: z.core.$ZodIssue, parentPath: Problem['path']): Problem[] {
  const path = [...parentPath, ...issue.path.map(toKey)]
  const { message } = issue
  if (issue.code === 'unrecognized_keys') {
    const messages = message.split('\n')
    return issue.keys.map((key, index) => {
      return { path: [...path, key], code: 'unknown', message: messages[index] ?? message }
    })
  }
  if (issue.code === 'invalid_union') {
    const errors = issue.errors.find((option) => !option.some(isOfOtherType))
    if (errors) return errors.flatMap((error) => toProblems(error, path))
  }
  const code = issue.input === undefined ? 'missing' : 'invalid'
  return [{ path, code, message: path.length === 0 ? `The value ${message}` : message }]
}

/** The problems of a union are those of its only member that has the type of the value. */
function isOfOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0
}

function toKey(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** The message of an issue whose schema has none of its own. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing.'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `must be ${issue.values.join(' or ')}.`
    case 'not_multiple_of':
      return 'must be a whole number.'
    case 'too_small':
      return `must be at least ${issue.minimum}.`
    case 'too_big':
      return `must be at most ${issue.maximum}.`
    case 'unrecognized_keys':
      return describeUnknown(
        issue,
        (suggestion = `the names are ${knownKeys(issue).join(', ')}.`) =>
          `does not exist: ${suggestion}`,
      )
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not allowed.'
    default:
      return 'is invalid.'
  }
}

/**
 * The message of unknown names, one line for each. `describe` gets "did you mean redirect_uris?" if
 * the name is similar to a known one.
 */
export function describeUnknown(
  issue: z.core.$ZodRawIssue,
  describe: (suggestion: string | undefined) => string,
): string {
  if (issue.code !== 'unrecognized_keys') return describe(undefined)
  const known = knownKeys(issue)
  return issue.keys
    .map((name) => sameName(name, known) ?? nearestName(name, known))
    .map((meant) => describe(meant && `did you mean ${meant}?`))
    .join('\n')
}

/** A name in another case, such as `redirectUris` for `redirect_uris`. */
function sameName(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.replaceAll(/[_-]/g, '').toLowerCase()
  return names.find((known) => plain(known) === plain(name))
}

function knownKeys({ inst }: z.core.$ZodRawIssue): string[] {
  return Object.keys((inst as z.core.$ZodObject)._zod.def.shape)
}
