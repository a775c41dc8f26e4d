import { nowInSeconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { openUnexpired, sealUntil } from '../crypto/expiring-seal.ts'
import type { ReturnLink } from './return-url.ts'

/** The page on which users link accounts. */
export const LINK_PATH = '/account/link'

/** How long a page may stay open before one of its links to a provider is used. */
const LINK_LIFETIME = 600 // seconds

/** How a link of ours leads to a sign-in that links an account to this user. */
export async function accountLink({ seal }: Config, userId: string): Promise<ReturnLink> {
  const link = await sealUntil(seal, nowInSeconds() + LINK_LIFETIME, {
    purpose: 'link',
    context: userId,
  })
  return { base: '/api/auth', params: { link, callbackUrl: '/account' } }
}

/** Whether a page of ours has created the link for this user. */
export async function isLinkOf({ seal }: Config, userId: string, link: string): Promise<boolean> {
  const use = { purpose: 'link', context: userId } as const
  return (await openUnexpired(seal, link, use)) !== undefined
}
