export default defineEventHandler(() => fetch(`${process.env.API_URL}/public`))
