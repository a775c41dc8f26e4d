import { openUnexpired, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'

/** The page on which users link accounts. */
export const LINK_PATH = '/account/link'

/** How long a page may stay open before one of its links to a provider is used. */
const LINK_LIFETIME = 600 // seconds

/** The parameters of a sign-in that links an account to this user. */
export async function accountLink({ seal }: Config, userId: string): Promise<URLSearchParams> {
  const link = await sealUntil(seal, nowInSeconds() + LINK_LIFETIME, {
    purpose: 'link',
    context: userId,
  })
  return new URLSearchParams({ link, callbackUrl: '/account' })
}

/** Whether a page of ours has created the link for this user. */
export async function isLinkOf({ seal }: Config, userId: string, link: string): Promise<boolean> {
  const use = { purpose: 'link', context: userId } as const
  return (await openUnexpired(seal, link, use)) !== undefined
}
