export default defineEventHandler((event) => ({ name: event.context.auth.session?.user.name }))
