import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'
import { Browser, LOGIN } from '../../browser.ts'

export const DISCOVERY_PATH = '/.well-known/openid-configuration'
export const JWKS_PATH = '/.well-known/jwks.json'

export function discoveryDocument(): Promise<Record<string, unknown>> {
  return new Browser().json(DISCOVERY_PATH)
}

export function publishedKeys(browser = new Browser()): Promise<JSONWebKeySet> {
  return browser.json(JWKS_PATH)
}

/** Verifies a JWT of the service as a relying app does: by the published keys and the issuer. */
export async function verifyWithPublishedKeys(
  jwt: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  const keys = createLocalJWKSet(await publishedKeys())
  return jwtVerify(jwt, keys, { issuer: LOGIN, ...options })
}
