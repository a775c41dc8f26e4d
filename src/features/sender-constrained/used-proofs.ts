import type {
  CodeRedemption,
  RedemptionResult,
  RefreshRotation,
  RotationResult,
} from '../../core/grants/grants.ts'
import type { ProvenKey } from '../../core/registration-schemas/bound-tokens.ts'
import { ExpiringRecords } from '../../core/storage/expiring-records.ts'
import type { GrantHolder, UserObject } from '../../core/users/user-object.ts'
import type { UserRecords } from '../../core/users/user-records.ts'

/** The user's object rejects a proof that was used before for one of the user's grants. */
export function withUsedProofs(Base: typeof UserObject): typeof UserObject {
  return class extends Base {
    readonly #proofs = this.stored.addRecords(new UsedProofs(this.ctx.storage.kv))

    override async redeemCode(
      redemption: CodeRedemption,
      includesAccount?: boolean,
    ): Promise<RedemptionResult & GrantHolder> {
      if (!this.#proofs.use(redemption.key)) return { rejected: 'proof_replayed' }
      return super.redeemCode(redemption, includesAccount)
    }

    override async rotateRefreshToken(
      rotation: RefreshRotation,
      includesAccount?: boolean,
    ): Promise<RotationResult & GrantHolder> {
      if (!this.#proofs.use(rotation.key)) return { rejected: 'proof_replayed' }
      return super.rotateRefreshToken(rotation, includesAccount)
    }
  }
}

/** Proofs that were used, by id, with the time until which they would be accepted. */
class UsedProofs extends ExpiringRecords<number> implements UserRecords {
  constructor(kv: SyncKvStorage) {
    super(kv, 'proof:', (expiresAt) => expiresAt)
  }

  /** Returns false if the proof of this key was used before. */
  use(key: ProvenKey | undefined): boolean {
    if (!key) return true
    const { id, expiresAt } = key.proof
    if (this.get(id) !== undefined) return false
    this.deleteExpired()
    this.put(id, expiresAt)
    return true
  }
}
