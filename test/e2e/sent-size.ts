import { gzipSync } from 'node:zlib'

/** The most bytes that a page may have as it is sent, with its inline stylesheet and logos: the first flight of packets of a connection. */
export const MAX_SENT_SIZE = 14_336

/**
 * The bytes of a page as it is sent: compressed with gzip at its default level. Browsers also accept the other methods of
 * Cloudflare, Brotli and Zstandard, which make our pages smaller.
 */
export function sentSize(html: string): number {
  return gzipSync(html).byteLength
}
