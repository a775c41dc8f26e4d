import type { AppContext } from '../http/app-env.ts'
import type { AuthenticatedClient } from '../registration-schemas/clients.ts'

/** A value of `grant_type`, and how the token endpoint answers it. */
export interface GrantType {
  name: string
  /** What metrics call it. */
  label: string
  /** Whether `grant_types` of a client must have it. Other grant types check the client themselves. */
  needsRegistration: boolean
  /**
   * Whether it answers a request with this form. Asked if several features have a grant type of this
   * name, such as that of RFC 8693.
   */
  handles?(form: URLSearchParams): boolean
  /** The token response. The client has been authenticated. */
  issueTokens(
    c: AppContext,
    client: AuthenticatedClient,
    form: URLSearchParams,
  ): Promise<Readonly<Record<string, unknown>>>
}
