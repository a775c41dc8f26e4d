import { gzipSync } from 'node:zlib'

/**
 * The most bytes that a page may have as it is sent, with its inline stylesheet and logos: the
 * first flight of packets of a connection.
 */
export const MAX_SENT_SIZE = 14_336

/**
 * The bytes of a page as it is sent: compressed with gzip at its default level. The other methods
 * of Cloudflare, Brotli and Zstandard, differ by a few percent.
 */
export function sentSize(html: string): number {
  return gzipSync(html).byteLength
}
