import { callProviderFunction } from '../../core/upstream/call-provider-function.ts'
import type { AccountCallback, TokenSet } from '../../provider-interface/oauth-types.ts'

/** How a provider is configured to keep tokens. */
export interface TokenOptions {
  keepsTokens?: boolean
  account?: AccountCallback
}

/** Whoever writes an `account` callback wants what it returns to be stored. */
export function keepsTokens({ account, keepsTokens = false }: TokenOptions): boolean {
  return account !== undefined || keepsTokens
}

/** The tokens to store, as the provider's `account` callback selects them. */
export async function selectTokens(
  options: TokenOptions,
  tokens: TokenSet,
): Promise<TokenSet | undefined> {
  const { account = standardAccount } = options
  if (!keepsTokens(options)) return undefined
  const selected = await callProviderFunction('account', account, () => account(tokens))
  return selected ?? undefined
}

/**
 * The default `account` callback: the subset of the token set that the provider interface names.
 */
function standardAccount(tokens: TokenSet): TokenSet {
  const stored = [
    'access_token',
    'id_token',
    'refresh_token',
    'expires_at',
    'scope',
    'token_type',
    'session_state',
  ]
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => stored.includes(name)))
}
