import type { Config } from '../config/config.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { ClientRequest } from './client-request.ts'

declare module '../config/feature.ts' {
  interface Feature {
    /** Finds a client by an id that no registration can have. */
    findClient?(env: Env, config: Config, request: ClientRequest): Promise<Client | undefined>
  }
}
