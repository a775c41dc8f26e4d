import { base64url } from 'jose'

/** A user's id in one app: the same in every run, different for every client key. */
export async function deriveOpenId(clientKey: string, handle: string): Promise<string> {
  const digest = await sha256(`open_id ${clientKey} ${handle}`)
  return `-000${base64url.encode(digest.slice(0, 24))}`
}

/** A user's id across all apps of one developer, in the format of a UUID. */
export async function deriveUnionId(developer: string, handle: string): Promise<string> {
  const hex = toHex(await sha256(`union_id ${developer} ${handle}`))
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** The platform's code challenge: lower-case hex, where RFC 7636 §4.2 requires base64url. */
export async function hexChallenge(verifier: string): Promise<string> {
  return toHex(await sha256(verifier))
}

/** HMAC-SHA256 in lower-case hex. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = encoder.encode(secret)
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))))
}

/** 220 characters, then a suffix with `*` and `!`, which reveals clients with encoding mistakes. */
export function newCode(): string {
  return `${base64url.encode(randomBytes(165))}*1!${fourDigits()}.va`
}

/**
 * An access (`act`), refresh (`rft`), client (`clt`) or QR code (`qrt`) token of about 72
 * characters.
 */
export function newToken(prefix: 'act' | 'rft' | 'clt' | 'qrt'): string {
  return `${prefix}.${base64url.encode(randomBytes(45))}!${fourDigits()}.va`
}

/** Identifies a QR code in its link. */
export function newTicket(): string {
  return base64url.encode(randomBytes(24))
}

/**
 * 34 characters: the UTC time, then 20 upper-case hex digits. The platform's support requests this
 * id.
 */
export function newLogId(now: number): string {
  const time = new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
  return time + toHex(randomBytes(10)).toUpperCase()
}

/** Base64 with `+`, `/` and `=`, so that an avatar URL breaks when its percent-encoding is lost. */
export async function signAvatar(text: string): Promise<string> {
  const digest = await sha256(`avatar ${text}`)
  return btoa(String.fromCharCode(...digest.slice(0, 20)))
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}

function fourDigits(): string {
  const [value = 0] = crypto.getRandomValues(new Uint16Array(1))
  return String(1000 + (value % 9000))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
