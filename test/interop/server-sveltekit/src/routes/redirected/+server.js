export const GET = () => Response.redirect(`${process.env.APP_URL}/`)
