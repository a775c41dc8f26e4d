export default defineEventHandler(() => Response.redirect(`${process.env.APP_URL}/`))
