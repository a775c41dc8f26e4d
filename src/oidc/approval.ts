import { nowInSeconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { openUnexpired, sealUntil } from '../crypto/expiring-seal.ts'
import { APPROVAL_PARAMETER } from './authorization-request.ts'
import { requestDigest } from './reauthentication.ts'

/** After the user's approval, the browser repeats the authorization request immediately. */
const APPROVAL_LIFETIME = 60 // seconds

/** Seals that the user of this session has just approved this authorization request. */
export async function sealApproval(
  { seal }: Config,
  sessionDigest: string,
  params: URLSearchParams,
): Promise<string> {
  return sealUntil(seal, nowInSeconds() + APPROVAL_LIFETIME, {
    purpose: 'approval',
    context: await approvalContext(sessionDigest, params),
  })
}

/** Whether the request carries the approval of this session's user for this very request. */
export async function isApproved(
  { seal }: Config,
  sessionDigest: string,
  params: URLSearchParams,
): Promise<boolean> {
  const sealed = params.get(APPROVAL_PARAMETER)
  if (!sealed) return false
  const opened = await openUnexpired(seal, sealed, {
    purpose: 'approval',
    context: await approvalContext(sessionDigest, params),
  })
  return opened !== undefined
}

async function approvalContext(sessionDigest: string, params: URLSearchParams): Promise<string> {
  return `${sessionDigest} ${await requestDigest(params, APPROVAL_PARAMETER)}`
}
