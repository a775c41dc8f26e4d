import * as z from 'zod/mini'
import type { OperationGroup } from '../../administration/operation-group.ts'
import { CallbackError } from '../../core/callbacks/callback-error.ts'
import { runWithDeadline } from '../../core/callbacks/run-callbacks.ts'
import type { SignInCallbackInput } from '../../core/config/callbacks.ts'
import type { Feature } from '../../core/config/feature.ts'
import { describeUnknownRole } from '../../core/config/user-roles.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { boundedFetch } from '../../core/fetch/bounded-fetch.ts'
import type { IntrospectedClaims, IssuedClaims } from '../../core/oidc/feature-members.ts'
import type { UserObject } from '../../core/users/user-object.ts'
import { requireKnownOptions } from '../../define-feature/known-options.ts'
import type { Awaitable } from '../../provider-interface/oauth-types.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import { createConsoleSection } from './console-section.tsx'
import { OPERATIONS } from './operation-table.ts'
import { roleOperations } from './operations.ts'
import { accountPart, consentPart } from './page-texts.ts'
import { API_FIELDS, findApiProblems, rolesOf } from './registration-fields.ts'
import { requireNames } from './role-names.ts'
import texts from './texts.json.txt'
import { ROLES, withRoles } from './user-roles.ts'

/** What `signIn` of `roles()` receives. */
export type RolesCallbackInput = Omit<SignInCallbackInput, 'isNewUser'>

export interface RolesOptions<Name extends string = string> {
  /** All roles that users can have. */
  names: readonly Name[]
  /**
   * Returns the roles of a user who signs in. They replace those that the user has, whoever gave
   * them. With `undefined`, the user keeps those. If it throws, takes longer than five seconds or
   * returns an unknown name, the sign-in fails, and the log has the reason.
   */
  signIn?: (input: RolesCallbackInput) => Awaitable<readonly Name[] | undefined>
}

/** Roles of users in the operator's own apps and APIs, which tokens name. */
export function roles<const Name extends string>(options: RolesOptions<Name>): ListedFeature {
  const { names, signIn, ...others } = options
  requireKnownOptions('roles', others)
  requireNames(names)
  const feature: Feature = {
    id: ROLES,
    userRoles: names,
    texts,
    audit: AUDIT_EVENTS,
    log: ['roles_not_recorded'],
    claims: (token) =>
      token.kind === 'introspection' ? currentClaims(token) : claimsOf(names, token),
    ...(signIn && { signInData: (input) => callSignIn({ names, signIn }, input) }),
    extend: { UserObject: (Base: typeof UserObject) => withRoles(Base, names) },
    registrations: {
      apis: { fields: API_FIELDS, problems: (api) => findApiProblems(api, names) },
    },
    consentPart,
    accountPart,
    operations: {
      table: OPERATIONS,
      createImplementations: (schemas) => roleOperations(schemas, names),
      sections: [createConsoleSection(names)],
      importFields: () => ({ roles: importedRoles(names) }),
    } satisfies OperationGroup<keyof typeof OPERATIONS>,
  }
  return feature
}

/**
 * The operator's own apps get all roles of the user, APIs those that they list. The claim is present
 * even if it is empty, so that `callbacks.claims` cannot set it.
 */
function claimsOf(
  names: readonly string[],
  { kind, client, user, apis }: IssuedClaims,
): Readonly<Record<string, unknown>> | undefined {
  const isOwnApp = kind === 'session' || (kind === 'id_token' && client?.first_party)
  const listed = isOwnApp ? names : apis.flatMap(rolesOf)
  if (listed.length === 0) return undefined
  return { roles: (user.roles ?? []).filter((name) => listed.includes(name)) }
}

/** A role that was taken away since the token was issued does not count. */
function currentClaims({ user: { roles = [] }, client, issued }: IntrospectedClaims) {
  if (!issued) return client.first_party ? { roles } : undefined
  const names = issued['roles']
  return Array.isArray(names) ? { roles: roles.filter((name) => names.includes(name)) } : undefined
}

async function callSignIn(
  { names, signIn }: { names: readonly string[]; signIn: NonNullable<RolesOptions['signIn']> },
  input: Omit<RolesCallbackInput, 'fetch'>,
): Promise<string | undefined> {
  const result: unknown = await runWithDeadline('signIn of roles()', () =>
    signIn({ ...input, fetch: boundedFetch }),
  )
  if (result === undefined) return undefined
  if (!Array.isArray(result)) {
    throw new CallbackError('signIn of roles() must return a list of roles or undefined.')
  }
  const unknown = result.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new CallbackError(`signIn of roles(): ${describeUnknownRole(String(unknown), names)}`)
  }
  return JSON.stringify(result)
}

/** The roles of an imported user, as the directory stores them. */
function importedRoles(names: readonly string[]) {
  const name = z.string().check(
    z.refine((value) => names.includes(value), {
      error: ({ input }) => describeUnknownRole(String(input), names),
    }),
  )
  return z.optional(
    z.pipe(
      z.array(name),
      z.transform((list) => JSON.stringify({ names: [...new Set(list)], version: 0 })),
    ),
  )
}
