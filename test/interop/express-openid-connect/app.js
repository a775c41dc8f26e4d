import express from 'express'
import { auth } from 'express-openid-connect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET, PORT } = process.env

const app = express()
app.use(
  auth({
    issuerBaseURL: ISSUER,
    baseURL: APP_URL,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: SESSION_SECRET,
    authorizationParams: { response_type: 'code', scope: 'openid profile' },
    idpLogout: true, // GET /logout also ends the session at the login service
  }),
)
app.get('/', (request, response) => {
  const { sub, name } = request.oidc.user
  response.json({ sub, name })
})
app.listen(PORT, 'localhost')
