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
    apis?: ApiPart
  }
  /** The grant types that it adds to the token endpoint. */
  grantTypes?: readonly { name: string; needsRegistration: boolean }[]
  /** What a redirect URI with a wildcard stands for; what that counts for is up to the core. */
  wildcards?: Wildcards
}

/** What the wildcards of the operator's own apps stand for. */
export interface Wildcards {
  /** Whether one stands for this redirect URI. The core has compared it with all others before. */
  matches(wildcard: string, redirectUri: string): boolean
}

/** What a feature adds to registrations of one kind. */
export interface RegistrationPart<Registered> {
  /** The fields that only it reads. `fieldReader` returns their values. */
  fields?: FieldShape
  /** What is wrong with a registration. Only problems of the code `unlisted` do not disable it. */
  problems?(registration: Registered, context: ClientContext): Problem[]
}

/** The same for APIs. */
interface ApiPart extends RegistrationPart<Api> {
  /** APIs that exist without a registration. Only clients that they list get tokens of users. */
  builtIn?(config: { issuer: string }): readonly Api[]
}

/** The same for clients. */
interface ClientPart extends RegistrationPart<Registration> {
  /** What follows from its fields, whatever the others say. */
  imply?(client: Registration): (Partial<Client> & Readonly<Record<string, unknown>>) | undefined
}
