export default defineEventHandler(async (event) => {
  if (event.path.startsWith('/auth/')) return login.handler(toWebRequest(event))
  const auth = await readAuth(event)
  if (!auth) return new Response('Please try again later.', { status: 503 })
  event.context.auth = auth
  appendResponseHeaders(event, Object.fromEntries(auth.headers))
})
