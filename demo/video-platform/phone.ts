import { mayLogIn } from './apps.ts'
import { allow } from './callback.ts'
import type { Persona } from './personas.ts'
import type { Platform } from './platform.ts'
import type { QrLogin } from './qr-login.ts'

/** Why a phone could not go on, in words for the person who holds it. */
export class ScanError extends Error {}

/** The app's ticket must stay below 512 characters, encoded. */
const LONGEST_TICKET = 511

/** What happens when a person points their phone at a code. */
export function scan(platform: Platform, persona: Persona, link: string): QrLogin {
  const query = readLink(link)
  const login = findQrLogin(platform, query.get('authorize_ticket') ?? '')
  if (login === undefined) throw new ScanError('The video platform does not know this code.')

  const clientTicket = query.get('client_ticket') ?? ''
  if (encodeURIComponent(clientTicket).length > LONGEST_TICKET) {
    throw new ScanError('The client ticket in this code is too long.')
  }
  if (!mayLogIn(login.request.app, persona.handle)) {
    throw new ScanError('You are no target user of the sandbox that shows this code.')
  }
  if (persona.standing !== 'good') throw new ScanError('Your account cannot log in elsewhere.')
  if (!login.scan(persona.handle, clientTicket, platform.now())) {
    throw new ScanError('This code has expired, or somebody else has used it.')
  }
  return login
}

/** What happens when the same person allows some of the scopes, or nothing at all. */
export function decide(
  platform: Platform,
  login: QrLogin,
  { persona, scopes }: { persona: Persona; scopes: readonly string[] | 'none' },
): void {
  if (!login.isScannedBy(persona.handle, platform.now())) {
    throw new ScanError('This code has expired, or somebody else has used it.')
  }
  if (scopes === 'none') login.refuse()
  else login.confirm(allow(platform, login.request, { persona, scopes }))
}

export function findQrLogin({ qrLogins }: Platform, ticket: string): QrLogin | undefined {
  return [...qrLogins.values()].find((login) => login.ticket === ticket)
}

function readLink(link: string): URLSearchParams {
  const [before, query] = link.trim().split('?', 2)
  if (before !== 'aweme://authorize') {
    throw new ScanError('This is no login code of the video platform.')
  }
  return new URLSearchParams(query)
}
