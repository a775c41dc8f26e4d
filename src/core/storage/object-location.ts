import {
  locationProblem,
  NO_JURISDICTION,
  objectJurisdiction,
  READ_LOCATION,
} from '../../foundation/values/jurisdiction.ts'
import { database } from './database.ts'

/**
 * The object with this name, in the jurisdiction of the deployment. The same name in another
 * jurisdiction is another object, so all objects are found here.
 */
export function namedObject<T extends Rpc.DurableObjectBranded>(
  env: Env,
  namespace: DurableObjectNamespace<T>,
  name: string,
): DurableObjectStub<T> {
  const jurisdiction = objectJurisdiction(env)
  const restricted = jurisdiction ? namespace.jurisdiction(jurisdiction) : namespace
  return restricted.get(restricted.idFromName(name))
}

/**
 * Records the jurisdiction when the first objects are created. Throws if they were created in
 * another one, which would otherwise be replaced by new, empty objects.
 */
export async function recordObjectLocation(env: Env): Promise<void> {
  const [, recorded] = await database(env).batch<{ jurisdiction: string }>([
    database(env)
      .prepare(RECORD_LOCATION)
      .bind(objectJurisdiction(env) ?? NO_JURISDICTION),
    database(env).prepare(READ_LOCATION),
  ])
  requireObjectLocation(env, recorded?.results[0]?.jurisdiction)
}

/** Throws if the objects of this deployment are in another jurisdiction than the setting says. */
export function requireObjectLocation(env: Env, recorded: string | null | undefined): void {
  const problem = locationProblem(env, recorded)
  if (problem) throw new Error(problem)
}

const RECORD_LOCATION =
  'INSERT INTO object_location (id, jurisdiction) VALUES (1, ?) ON CONFLICT DO NOTHING'
