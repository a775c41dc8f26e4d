import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { createFeature } from '../../define-feature/create-feature.ts'
import {
  addPage,
  confirmPage,
  enrolPage,
  type IsDemanded,
  newCodesPage,
  removePage,
} from './account-pages.tsx'
import { accountSection } from './account-section.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import { codePage, record, recoveryPage } from './code-pages.tsx'
import {
  type Factor,
  isActive,
  OFFERED,
  openFactor,
  readFactor,
  removeFactor,
  STORED,
} from './factor.ts'
import { CHANGES, CODES, USE_LIMITS } from './limits.ts'
import { RESET } from './operations.ts'
import {
  ADD_PATH,
  CODE_PATH,
  CONFIRM_PATH,
  ENROL_PATH,
  NEW_CODES_PATH,
  RECOVERY_PATH,
  REMOVE_PATH,
} from './paths.ts'
import texts from './texts.json.txt'
import { en } from './texts.ts'

export interface TotpOptions {
  /**
   * Who cannot sign in without a second factor: everyone, administrators of this service, or users
   * with certain roles. By default users decide for themselves.
   */
  requiredFor?: 'everyone' | { administrators?: boolean; roles?: readonly string[] }
}

/**
 * A second factor: codes of an authenticator app, {@link https://www.rfc-editor.org/rfc/rfc6238}, and
 * recovery codes. A sign-in that proves two factors itself, as a passkey does, needs none.
 */
export function totp({ requiredFor = {}, ...others }: TotpOptions = {}): ListedFeature {
  requireValid(requiredFor, others)
  // Administrators are among everyone. Their access to the API may be older than the demand.
  const { administrators = false, roles = [] } =
    requiredFor === 'everyone' ? { administrators: true } : requiredFor
  const isDemandedOf = (user: { roles?: readonly string[] } | undefined) =>
    requiredFor === 'everyone' || (user?.roles ?? []).some((role) => roles.includes(role))
  const isDemanded: IsDemanded = async ({ user, isAdministrator }) =>
    isDemandedOf(user) || (administrators && (await isAdministrator()))
  return createFeature({
    id: 'totp',
    texts,
    limits: USE_LIMITS,
    seals: [STORED, OFFERED],
    audit: AUDIT_EVENTS,
    step: {
      // Sessions of users of whom it is demanded now, but was not before, are pending. Who is an
      // administrator is in the database, so they are asked when they administer.
      version: (user) => (isDemandedOf(user) ? 2 : 1),
      roles,
      dependsOn: administrators ? ['administration'] : [],
      async required(context) {
        if (context.signIn.amr.includes('mfa')) return undefined
        if (isActive(await readFactor(context))) return CODE_PATH
        const mustEnrol = context.isAdministration || (await isDemanded(context))
        return mustEnrol ? ENROL_PATH : undefined
      },
      endsGrants: async ({ isAdministrator }) => administrators && isAdministrator(),
    },
    pages: {
      [CODE_PATH]: codePage,
      [RECOVERY_PATH]: recoveryPage,
      [ENROL_PATH]: enrolPage(isDemanded),
      [ADD_PATH]: addPage,
      [CONFIRM_PATH]: confirmPage,
      [REMOVE_PATH]: removePage(isDemanded),
      [NEW_CODES_PATH]: newCodesPage,
    },
    accountSection,
    exportRecords({ factor }) {
      if (factor === undefined) return undefined
      const { addedAt, unconfirmed, recoveryCodes } = factor as Factor
      const isConfirmed = unconfirmed === undefined
      return {
        authenticator_app: {
          added_at: addedAt,
          confirmed: isConfirmed,
          recovery_codes: recoveryCodes.length,
        },
      }
    },
    async userCard(context) {
      const factor = await readFactor(context)
      if (!factor) return undefined
      const left = `${factor.recoveryCodes.length} recovery codes left`
      const state = factor.unconfirmed ? 'Not confirmed, does not count yet' : 'Authenticator app'
      const isReadable = (await openFactor(context, factor)) !== undefined
      const unreadable =
        'Cannot be checked, because AUTH_SECRET was replaced: only recovery codes count'
      return { title: 'Second factor', facts: [isReadable ? state : unreadable, left] }
    },
    operations: {
      reset: {
        ...RESET,
        async run(context) {
          const noFactor = 'The user has no second factor.'
          if (!(await readFactor(context))) return noFactor
          // First, so that the operation can be repeated if this fails.
          await context.endSessions()
          await context.forget(CODES)
          await context.forget(CHANGES)
          if (!(await removeFactor(context))) return noFactor
          record(context, 'second_factor_reset')
          await context.announce({ kind: 'removed', title: en['totp.name'] })
          return undefined
        },
      },
    },
  })
}

/** Operators may not use TypeScript, and what is misspelt would require nothing. */
function requireValid(requiredFor: unknown, others: object): void {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new TypeError(`totp() has no option ${unknown}.`)
  if (requiredFor === 'everyone' || isGroup(requiredFor)) return
  throw new TypeError(
    "requiredFor of totp() must be 'everyone', or an object such as { administrators: true, roles: ['editor'] }.",
  )
}

function isGroup(requiredFor: unknown): boolean {
  if (typeof requiredFor !== 'object' || requiredFor === null) return false
  if (Array.isArray(requiredFor)) return false
  return Object.entries(requiredFor).every(([name, value]) => {
    if (name === 'administrators') return typeof value === 'boolean'
    return name === 'roles' && Array.isArray(value)
  })
}
