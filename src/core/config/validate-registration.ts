import type * as z from 'zod/mini'
import { type Problem, validate } from '../../foundation/values/problem.ts'
import { type Api, apiProblems } from '../registration-schemas/apis.ts'
import { type ClientContext, clientProblems } from '../registration-schemas/client-problems.ts'
import type { Registration } from '../registration-schemas/clients.ts'
import { apiSchemaOf, clientSchemaOf } from '../registration-schemas/deployment-schemas.ts'
import { separateUnlisted } from './unlisted-features.ts'

/** A registration, and what is wrong with it. Problems of the code `unlisted` do not disable it. */
export interface ValidatedRegistration<Value> {
  /** Missing if a field has no valid value. */
  data?: Value
  /** The fields of features that the deployment does not list. They stay in the database. */
  unlisted: Readonly<Record<string, unknown>>
  problems: Problem[]
}

/** Validates the registration of a client in this deployment. */
export function validateClient(
  registration: unknown,
  context: ClientContext,
  path: Problem['path'] = [],
): ValidatedRegistration<Registration> {
  return validateKnown(path, {
    ...separateUnlisted(registration, 'clients', context.features),
    schema: clientSchemaOf(context.features),
    findProblems: (client) => clientProblems(client, context),
  })
}

/** The same for an API. */
export function validateApi(
  registration: unknown,
  context: ClientContext,
  path: Problem['path'] = [],
): ValidatedRegistration<Api> {
  return validateKnown(path, {
    ...separateUnlisted(registration, 'apis', context.features),
    schema: apiSchemaOf(context.features),
    findProblems: (api) => apiProblems(api, context),
  })
}

interface Known<Value> {
  /** The registration without what features have that are not listed. */
  known: unknown
  unlisted: Record<string, unknown>
  problems: Problem[]
  schema: z.ZodMiniType<Value>
  /** Problems that no single field shows, or that depend on the deployment. */
  findProblems(registration: Value): Problem[]
}

function validateKnown<Value>(
  path: Problem['path'],
  { known, unlisted, schema, findProblems, ...separated }: Known<Value>,
): ValidatedRegistration<Value> {
  const { data, problems } = validate(schema, known, path)
  const further = [...separated.problems, ...(data ? findProblems(data) : [])]
  return {
    ...(data && { data }),
    unlisted,
    problems: [
      ...problems,
      ...further.map((problem) => ({ ...problem, path: [...path, ...problem.path] })),
    ],
  }
}
