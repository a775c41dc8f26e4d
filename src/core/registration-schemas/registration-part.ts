import type * as z from 'zod/mini'
import type { Problem } from '../../foundation/values/problem.ts'
import type { Api } from './apis.ts'
import type { ClientContext } from './client-problems.ts'
import type { Client, Registration } from './clients.ts'

/** Fields by name, each declared with `field`. */
export type FieldShape = Readonly<Record<string, z.ZodMiniType>>

/** What a feature adds to the registrations of clients and of APIs. */
export interface RegisteringFeature {
  id: string
  registrations?: {
    clients?: ClientPart
    apis?: RegistrationPart<Api>
  }
  /** The grant types that it adds to the token endpoint. */
  grantTypes?: readonly { name: string; needsRegistration: boolean }[]
  /**
   * Whether a redirect URI with a wildcard stands for this one. The core asks only about the one of
   * an app of the operator's own, after an exact comparison; what it counts for is up to the core.
   */
  matchesWildcard?(wildcard: string, redirectUri: string): boolean
  /** APIs that exist without a registration. Only clients that they list get tokens of users. */
  apis?(config: { issuer: string }): readonly Api[]
}

/** What a feature adds to registrations of one kind. */
export interface RegistrationPart<Registered> {
  /** The fields that only it reads. `fieldReader` returns their values. */
  fields?: FieldShape
  /** What is wrong with a registration. Only problems of the code `unlisted` do not disable it. */
  problems?(registration: Registered, context: ClientContext): Problem[]
}

/** The same for clients. */
interface ClientPart extends RegistrationPart<Registration> {
  /** What follows from its fields, whatever the others say. */
  imply?(client: Registration): (Partial<Client> & Readonly<Record<string, unknown>>) | undefined
}
