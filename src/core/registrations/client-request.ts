import type { Requester } from '../limits/network.ts'

/**
 * Which client is needed, and whether what it publishes about itself is read if the copy has
 * expired: not at all, if it was read before, or also for the first time.
 */
export interface ClientRequest {
  clientId: string
  reading: 'copy' | 'known' | 'any'
  /** Who introduces a client that was not read before, which is limited. */
  requester?: Requester
}
