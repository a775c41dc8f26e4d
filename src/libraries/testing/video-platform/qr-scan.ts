import { mayLogIn } from './apps.ts'
import { grantRequest } from './callback.ts'
import type { Persona } from './personas.ts'
import type { Platform } from './platform.ts'
import type { QrLogin } from './qr-login.ts'

/** A QR code cannot be used. The message is shown to the user. */
export class ScanError extends Error {}

/** The app's ticket must be shorter than 512 characters when encoded. */
const MAX_TICKET_LENGTH = 511

/** Scans the QR code with this content for a user. */
export function scanCode(platform: Platform, persona: Persona, link: string): QrLogin {
  const query = parseLink(link)
  const login = findQrLogin(platform, query.get('authorize_ticket') ?? '')
  if (login === undefined) throw new ScanError('The video platform did not issue this code.')

  const clientTicket = query.get('client_ticket') ?? ''
  if (encodeURIComponent(clientTicket).length > MAX_TICKET_LENGTH) {
    throw new ScanError('The client ticket in this code is too long.')
  }
  if (!mayLogIn(login.request.app, persona.handle)) {
    throw new ScanError('You are not a target user of the sandbox that shows this code.')
  }
  if (persona.standing !== 'good') throw new ScanError('Your account cannot log in to other apps.')
  if (!login.scan(persona.handle, clientTicket, platform.now())) {
    throw new ScanError('This code has expired or was used by another user.')
  }
  return login
}

/**
 * Confirms the login with some of the scopes, or denies it. Only the user who scanned the code may
 * decide.
 */
export function decideLogin(
  platform: Platform,
  login: QrLogin,
  { persona, scopes }: { persona: Persona; scopes: readonly string[] | 'none' },
): void {
  if (!login.isScannedBy(persona.handle, platform.now())) {
    throw new ScanError('This code has expired or was used by another user.')
  }
  if (scopes === 'none') login.deny()
  else login.confirm(grantRequest(platform, login.request, { persona, scopes }))
}

export function findQrLogin({ qrLogins }: Platform, ticket: string): QrLogin | undefined {
  return [...qrLogins.values()].find((login) => login.ticket === ticket)
}

function parseLink(link: string): URLSearchParams {
  const [address, query] = link.trim().split('?', 2)
  if (address !== 'aweme://authorize') {
    throw new ScanError('This is not a login code of the video platform.')
  }
  return new URLSearchParams(query)
}
