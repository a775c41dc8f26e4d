import { requireStorage } from '../../core/storage/unavailable-error.ts'
import type { SessionOpening } from '../../core/users/session.ts'
import type { UserRecord } from '../../core/users/user.ts'
import { type UserObject, userObject } from '../../core/users/user-object.ts'
import type { UserRecords } from '../../core/users/user-records.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isObject, parseJson } from '../../foundation/values/json.ts'
import { recordSignInChange } from './directory-copy.ts'

/** The id of the feature, under which the result of its callback is passed on. */
export const ROLES = 'roles'

/** What is stored, and copied to the directory. Each change has a higher version. */
export interface StoredRoles {
  /** Also names that the deployment no longer declares. */
  names: readonly string[]
  version: number
}

/** What has changed. */
export interface RolesChange {
  given: string[]
  taken: string[]
  stored: StoredRoles
}

interface RoleChange {
  role: string
  isGiven: boolean
  /** Whether tokens that have the role stay valid until they expire. */
  keepsTokens?: boolean
  /** That of the directory, for a user whose object has no roles yet. */
  copy: string | undefined
}

interface ChangedRoles extends StoredRoles {
  isChanged: boolean
}

/** What the object of a user does for their roles. */
interface RoleObject {
  listRoles(): string[]
  /**
   * Gives or takes a role. Returns the roles, and whether this has changed them; undefined if the user
   * was deleted.
   */
  changeRole(change: RoleChange): Promise<ChangedRoles | undefined>
}

/** Adds the roles of a deployment with these names to the object of a user, which decides about them. */
export function withRoles(Base: typeof UserObject, names: readonly string[]): typeof UserObject {
  return class extends Base implements RoleObject {
    readonly #roles = this.stored.addRecords(new UserRoles(this.ctx.storage.kv, names))

    listRoles(): string[] {
      return this.#roles.list()
    }

    async changeRole(change: RoleChange): Promise<ChangedRoles | undefined> {
      const { role, isGiven, keepsTokens = false, copy } = change
      if (this.stored.status.deletedUntil() !== undefined) return undefined
      this.#roles.adopt(copy)
      const { stored, given, taken } = this.#roles.change(role, isGiven)
      await this.userChanged(isGiven || keepsTokens ? undefined : endOfTokens())
      return { ...stored, isChanged: given.length + taken.length > 0 }
    }

    /** Also applies what the deployment's callback has determined. */
    protected override applySignIn(opening: SessionOpening): () => Promise<void> {
      const finish = super.applySignIn(opening)
      const { copies, determined } = opening.featureData ?? {}
      this.#roles.adopt(copies?.roles)
      const data = determined?.[ROLES]
      if (data === undefined) return finish
      const change = this.#roles.replace(JSON.parse(data))
      return async () => {
        await finish()
        await this.#publish(opening.user.id, change)
      }
    }

    async #publish(userId: string, change: RolesChange): Promise<void> {
      if (change.given.length + change.taken.length === 0) return
      this.ctx.waitUntil(recordSignInChange(this.env, this.readConfig(), { userId, change }))
      const revokedUntil = change.taken.length > 0 ? endOfTokens() : undefined
      await this.userChanged(revokedUntil)
      // The tokens of this sign-in must be issued later.
      if (revokedUntil !== undefined) await until(revokedUntil + 1)
    }
  }
}

/** Calls the user's object. If it does not respond, the request fails with an `UnavailableError`. */
export function callRoleObject<Result>(
  env: Env,
  userId: string,
  call: (object: DurableObjectStub<UserObject & RoleObject>) => Result,
): Promise<Awaited<Result>> {
  const object = userObject(env, userId) as DurableObjectStub<UserObject & RoleObject>
  return requireStorage(() => call(object))
}

/** One user's roles. Those that the deployment does not declare have no effect. */
class UserRoles implements UserRecords {
  readonly #kv: SyncKvStorage
  readonly #declared: readonly string[]

  constructor(kv: SyncKvStorage, declared: readonly string[]) {
    this.#kv = kv
    this.#declared = declared
  }

  /** In the order of the declaration. */
  list(): string[] {
    const { names } = this.#read()
    return this.#declared.filter((name) => names.includes(name))
  }

  userFields(): Partial<UserRecord> {
    const roles = this.list()
    return roles.length > 0 ? { roles } : {}
  }

  exportData(): Readonly<Record<string, unknown>> {
    return { roles: this.list() }
  }

  /** Takes the directory's copy over, if nothing is stored: the user was imported. */
  adopt(copy: string | undefined): void {
    if (copy === undefined || this.#kv.get<StoredRoles>('roles') !== undefined) return
    const roles = parseStoredRoles(copy)
    if (roles) this.#kv.put<StoredRoles>('roles', roles)
  }

  change(role: string, isGiven: boolean): RolesChange {
    const others = this.#read().names.filter((name) => name !== role)
    return this.replace(isGiven ? [...others, role] : others)
  }

  replace(names: readonly string[]): RolesChange {
    const before = this.#read()
    const given = names.filter((name) => !before.names.includes(name))
    const taken = before.names.filter((name) => !names.includes(name))
    if (given.length + taken.length === 0) return { given, taken, stored: before }
    const stored = { names: [...new Set(names)], version: before.version + 1 }
    this.#kv.put<StoredRoles>('roles', stored)
    return { given, taken, stored }
  }

  #read(): StoredRoles {
    return this.#kv.get<StoredRoles>('roles') ?? { names: [], version: 0 }
  }
}

function parseStoredRoles(copy: string): StoredRoles | undefined {
  const parsed = parseJson(copy)
  if (!isObject(parsed) || !Array.isArray(parsed['names'])) return undefined
  return { names: parsed['names'].map(String), version: Number(parsed['version']) || 0 }
}

/**
 * Until when tokens are revoked after a role was taken away. A request that has read the roles before
 * may sign its token a moment later.
 */
function endOfTokens(): number {
  return nowInSeconds() + 1
}

/** Waits until this time, in seconds since 1970. */
function until(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time * 1000 - Date.now()))
}
