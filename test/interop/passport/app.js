import express from 'express'
import session from 'express-session'
import passport from 'passport'
import { Strategy } from 'passport-openidconnect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET, PORT } = process.env

const strategy = new Strategy(
  {
    issuer: ISSUER,
    authorizationURL: `${ISSUER}/oidc/authorize`,
    tokenURL: `${ISSUER}/oidc/token`,
    userInfoURL: `${ISSUER}/oidc/userinfo`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: `${APP_URL}/callback`,
    scope: ['profile'], // the library adds openid
    nonce: true,
  },
  (_issuer, profile, done) => done(null, { sub: profile.id, name: profile.displayName }),
)
passport.use('vestibule', strategy)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))
app.use(passport.session())
app.get('/login', passport.authenticate('vestibule'))
app.get('/callback', passport.authenticate('vestibule', { successRedirect: '/' }))
app.get('/', (request, response) => {
  if (request.user) response.json(request.user)
  else response.redirect('/login')
})
app.listen(PORT, 'localhost')
