import { isLoopback } from './loopback.ts'

/**
 * Where Cloudflare can keep the data of Durable Objects and of D1
 * ({@link https://developers.cloudflare.com/durable-objects/reference/data-location/}).
 */
export const JURISDICTIONS = ['eu', 'us', 'fedramp'] as const
type Jurisdiction = (typeof JURISDICTIONS)[number]

/** `AUTH_JURISDICTION`, except in development: wrangler's local objects have no jurisdiction. */
export function objectJurisdiction(settings: object): Jurisdiction | undefined {
  const setting: unknown = Reflect.get(settings, 'AUTH_JURISDICTION')
  const jurisdiction = JURISDICTIONS.find((name) => name === setting)
  return jurisdiction && !isLoopback(Reflect.get(settings, 'AUTH_URL')) ? jurisdiction : undefined
}

/** What is recorded for a deployment without `AUTH_JURISDICTION`. */
export const NO_JURISDICTION = 'none'

/** Reads what is recorded when the first objects are created. There is no row before. */
export const READ_LOCATION = 'SELECT jurisdiction FROM object_location'

/** Says how the settings differ from the jurisdiction that is recorded, if they do. */
export function locationProblem(
  settings: object,
  recorded: string | null | undefined,
): string | undefined {
  const jurisdiction = objectJurisdiction(settings)
  if (!recorded || recorded === (jurisdiction ?? NO_JURISDICTION)) return undefined
  const setting = jurisdiction ? `is ${jurisdiction}` : 'is not set'
  const objects = recorded === NO_JURISDICTION ? 'were created without it' : `are in ${recorded}`
  return `AUTH_JURISDICTION ${setting}, but the objects of this deployment ${objects}.`
}

/** What to do about it. */
export const LOCATION_FIX =
  'Set AUTH_JURISDICTION as it was, and deploy: nothing is lost. To move the deployment, see docs/data-location.md.'
