export default defineEventHandler(async (event) => {
  if (event.path.startsWith('/auth/')) return login.handler(toWebRequest(event))
  event.context.auth = await login.getToken(event)
  appendResponseHeaders(event, Object.fromEntries(event.context.auth.headers))
})
