/** A worker that does nothing. Its cold start is what every worker pays. */
export default { fetch: () => new Response('nothing') }
