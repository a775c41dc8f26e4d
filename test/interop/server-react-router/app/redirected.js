export const loader = () => Response.redirect(`${process.env.APP_URL}/`)
