/** A worker that does nothing: what any start costs. */
export default { fetch: () => new Response('nothing') }
