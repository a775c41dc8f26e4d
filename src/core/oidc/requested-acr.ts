import type { Config } from '../config/config.ts'
import { supportedAcrValues } from '../tokens/acr.ts'
import type { AuthorizationError } from './authorization-error.ts'
import type { RequestedAcr } from './authorization-request.ts'
import type { ClaimsParameter } from './claims.ts'

/**
 * The requested values that this deployment supports. If it supports none that is required, users
 * cannot change that, so they are not asked to sign in.
 */
export function parseAcr(
  config: Config,
  params: { acrValues: string | undefined; claims: ClaimsParameter },
  reject: (code: string, text: string) => AuthorizationError,
): RequestedAcr | undefined {
  const requested = acrInClaims(params.claims) ?? preferredAcr(params.acrValues)
  if (!requested) return undefined
  const supported = supportedAcrValues(config)
  const values = requested.values.filter((value) => supported.includes(value))
  if (values.length > 0) return { ...requested, values }
  if (!requested.isEssential) return undefined
  throw reject(
    'unmet_authentication_requirements',
    'None of the requested values of acr is supported.',
  )
}

/** `acr_values` is a preference. */
function preferredAcr(acrValues = ''): RequestedAcr | undefined {
  const values = acrValues.split(' ').filter(Boolean)
  return values.length > 0 ? { values, isEssential: false } : undefined
}

/**
 * In the `claims` parameter, `acr` can be a requirement (OpenID Connect Core §5.5.1.1). It takes
 * precedence over `acr_values`.
 */
function acrInClaims({ id_token }: ClaimsParameter): RequestedAcr | undefined {
  const { values, value, essential = false } = id_token?.acr ?? {}
  const accepted = values ?? (value === undefined ? [] : [value])
  return accepted.length > 0 ? { values: accepted, isEssential: essential } : undefined
}
