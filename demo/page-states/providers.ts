import { CREDENTIALS_STYLE } from '../../src/features/credentials/style.ts'
import { EMAIL_STYLE } from '../../src/features/email/style.ts'
import * as catalogue from '../../src/providers/index.ts'

/** All providers of the catalogue. */
export const PROVIDERS = Object.values(catalogue).map((create) => create({}))

/** Local methods, which are in the list of accounts too. */
const LOCAL_PROVIDERS = [
  { id: 'email', name: 'Email', style: EMAIL_STYLE },
  { id: 'credentials', name: 'Acme', style: CREDENTIALS_STYLE },
]

/** The providers of most pages. */
export const FEW = ['tiktok', 'google', 'apple', 'github']

export function findProvider(id: string) {
  return [...PROVIDERS, ...LOCAL_PROVIDERS].find((provider) => provider.id === id)
}
