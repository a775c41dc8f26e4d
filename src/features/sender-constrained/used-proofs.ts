import type {
  CodeRedemption,
  RedemptionResult,
  RefreshRotation,
  RotationResult,
} from '../../core/grants/grants.ts'
import type { ProvenKey } from '../../core/registration-schemas/bound-tokens.ts'
import { ExpiringRecords } from '../../core/storage/expiring-records.ts'
import type { ListedRecords } from '../../core/storage/kv-records.ts'
import type { GrantHolder, UserObject } from '../../core/users/user-object.ts'
import type { UserRecords } from '../../core/users/user-records.ts'

/** Expired proofs are deleted together, at most this often. */
const CLEAN_UP_INTERVAL = 3600 // seconds

/**
 * The user's object rejects a proof that was used before for one of the user's grants. Only those of
 * accepted requests are remembered, so that nobody can fill the object with others.
 */
export function withUsedProofs(Base: typeof UserObject): typeof UserObject {
  return class extends Base {
    readonly #proofs = this.stored.addRecords(new UsedProofs(this.ctx.storage.kv))

    protected override redeem(redemption: CodeRedemption): RedemptionResult {
      return this.#proofs.useOnce(redemption.key, () => super.redeem(redemption))
    }

    protected override rotate(rotation: RefreshRotation): RotationResult {
      return this.#proofs.useOnce(rotation.key, () => super.rotate(rotation))
    }

    override async rotateRefreshToken(
      rotation: RefreshRotation,
      includesAccount?: boolean,
    ): Promise<RotationResult & GrantHolder> {
      const result = await super.rotateRefreshToken(rotation, includesAccount)
      const { key } = rotation
      if (key && !('rejected' in result)) {
        await this.cleanUpBy(key.proof.expiresAt + CLEAN_UP_INTERVAL)
      }
      return result
    }
  }
}

/** Proofs that were used, by id, with the time until which they would be accepted. */
class UsedProofs extends ExpiringRecords<number> implements UserRecords {
  constructor(kv: SyncKvStorage) {
    super(kv, 'proof:', (expiresAt) => expiresAt)
  }

  /** Decides about a request, unless the proof of its key was used before. */
  useOnce<Result extends object>(
    key: ProvenKey | undefined,
    decide: () => Result,
  ): Result | { rejected: 'proof_replayed' } {
    if (key && this.get(key.proof.id) !== undefined) return { rejected: 'proof_replayed' }
    const result = decide()
    if (key && !('rejected' in result)) this.put(key.proof.id, key.proof.expiresAt)
    return result
  }

  override nextExpiry(listed?: ListedRecords): number | undefined {
    const next = super.nextExpiry(listed)
    return next === undefined ? undefined : next + CLEAN_UP_INTERVAL
  }
}
