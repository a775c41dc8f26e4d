import type { ListedFeature } from '../core/config/vestibule-options.ts'
import { createFeature } from './create-feature.ts'
import type { OwnFeature } from './own-feature.ts'

/** The ids of our features, whether a deployment lists them or not. */
export const RESERVED_IDS = [
  'admin',
  'agents',
  'audit-export',
  'credentials',
  'device',
  'device-bound',
  'email',
  'native-apps',
  'passkeys',
  'previews',
  'provider-tokens',
  'qr-sign-in',
  'roles',
  'sender-constrained',
  'totp',
  'webhooks',
]

/** Paths of the core and of our features begin with these. */
const RESERVED_PATHS = ['account', 'admin', 'api', 'device', 'healthz', 'oidc', 'readyz', 'totp']

const ID = /^[a-z\d]+(-[a-z\d]+)*$/
const PATH = /^\/([a-z\d-]+)(\/[a-z\d-]+)*$/

/** A feature of your own, for `features` of `createVestibule`. */
export function defineFeature(own: OwnFeature): ListedFeature {
  requireId(own.id)
  for (const path of Object.keys(own.pages ?? {})) requirePath(own.id, path)
  return createFeature(own)
}

function requireId(id: string): void {
  if (!ID.test(id)) {
    throw new TypeError(
      `The feature ${id} needs an id of lower-case letters, digits and hyphens, such as terms.`,
    )
  }
  if (!RESERVED_IDS.includes(id)) return
  throw new TypeError(`${id} is the id of a feature of Vestibule: choose another one.`)
}

function requirePath(id: string, path: string): void {
  const [, segment = ''] = PATH.exec(path) ?? []
  if (segment !== '' && !RESERVED_PATHS.includes(segment)) return
  throw new TypeError(
    `The feature ${id} has a page at ${path}: use a path such as /terms, of lower-case letters, digits and hyphens, that begins with none of ${RESERVED_PATHS.join(', ')}.`,
  )
}
