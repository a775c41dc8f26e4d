import type { UserDetails } from './users/manage-users.ts'

/** A passkey as an export of the user's data has it, without its public key. */
interface ShownPasskey {
  credential_id: string
  name: string
  created_at: number
  last_used_at?: number
  is_backup_eligible: boolean
  is_backed_up: boolean
  transports: string[]
  aaguid: string
  counter: number
}

type ExportedPasskey = Omit<ShownPasskey, 'counter'> & {
  public_key: unknown
  signature_counter: number
}

/** The passkeys of a user; none if the deployment does not have them. */
export function passkeysOf({ featureRecords }: Pick<UserDetails, 'featureRecords'>) {
  const passkeys = (featureRecords['passkeys'] ?? []) as ExportedPasskey[]
  return passkeys.map(
    ({ public_key: _, signature_counter: counter, ...passkey }): ShownPasskey => ({
      ...passkey,
      counter,
    }),
  )
}
