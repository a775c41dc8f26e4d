import type { Config } from '../config/config.ts'
import type { Requester } from '../limits/network.ts'
import type { Client } from '../registration-schemas/clients.ts'

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

declare module '../config/feature.ts' {
  interface Feature {
    /** Finds a client by an id that no registration can have. */
    findClient?(env: Env, config: Config, request: ClientRequest): Promise<Client | undefined>
  }
}
