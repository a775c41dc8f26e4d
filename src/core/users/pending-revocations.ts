import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Revocation } from '../revocations/revocation.ts'
import { Outbox } from '../storage/outbox.ts'

/** When the alarm publishes a revocation again that could not be published. */
const RETRY_DELAY = 10 // seconds

interface PendingRevocation extends Revocation {
  dueAt: number
}

/** What has ended and is not yet published. It is given up when its tokens have expired. */
export class PendingRevocations extends Outbox<PendingRevocation> {
  constructor(kv: SyncKvStorage) {
    super(kv, 'revocation:')
  }

  add(revocation: Revocation): void {
    this.put({ ...revocation, dueAt: nowInSeconds() + RETRY_DELAY })
  }

  protected override keyOf({ id }: Revocation): string {
    return id
  }

  protected override postpone(revocation: Revocation): PendingRevocation | undefined {
    const now = nowInSeconds()
    return revocation.expiresAt > now ? { ...revocation, dueAt: now + RETRY_DELAY } : undefined
  }
}
