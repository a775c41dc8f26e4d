// Keycloak with the realm of realm.json, and an app whose users sign in at Keycloak. Both have one origin.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as client from 'openid-client'

const { APP_URL, CLIENT_SECRET, PORT } = process.env
const REALM = `${APP_URL}/realms/shop`

/** The one user of this app: attempts to sign in, and tokens. */
const session = {}

const keycloakPort = await findFreePort()
startKeycloak()
await waitForKeycloak()
const server = createServer((request, response) => {
  if (/^\/(realms|resources)\//.test(request.url)) return forward(request, response)
  respond(new URL(request.url, APP_URL), response).catch((error) => {
    response.writeHead(500).end(String(error))
  })
})
server.listen(PORT, 'localhost')

async function respond(url, response) {
  const config = await discover()
  const redirect = (target) => response.writeHead(302, { Location: target.href }).end()
  if (url.pathname === '/callback') {
    const { verifier: pkceCodeVerifier, state: expectedState } = session
    const tokens = await client.authorizationCodeGrant(config, url, {
      pkceCodeVerifier,
      expectedState,
    })
    session.tokens = tokens
    return redirect(new URL('/', APP_URL))
  }
  if (url.pathname === '/logout') {
    const id_token_hint = session.tokens.id_token
    session.tokens = undefined
    const post_logout_redirect_uri = `${APP_URL}/signed-out`
    return redirect(client.buildEndSessionUrl(config, { id_token_hint, post_logout_redirect_uri }))
  }
  if (url.pathname === '/signed-out') return response.end('Signed out.')
  if (session.tokens && (await isActive(config))) {
    const { vestibule_sub: sub, name } = session.tokens.claims()
    return response.end(JSON.stringify({ sub, name }))
  }
  session.verifier = client.randomPKCECodeVerifier()
  session.state = client.randomState()
  return redirect(
    client.buildAuthorizationUrl(config, {
      redirect_uri: `${APP_URL}/callback`,
      scope: 'openid profile',
      state: session.state,
      code_challenge: await client.calculatePKCECodeChallenge(session.verifier),
      code_challenge_method: 'S256',
      kc_idp_hint: 'vestibule', // goes to Vestibule without the page of Keycloak
    }),
  )
}

function discover() {
  return client.discovery(new URL(REALM), 'app', {}, client.ClientSecretBasic(CLIENT_SECRET), {
    execute: [client.allowInsecureRequests],
  })
}

/** False after the session at Keycloak has ended. */
function isActive(config) {
  const { tokens } = session
  const userinfo = client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  return userinfo.then(
    () => true,
    () => false,
  )
}

function startKeycloak() {
  mkdirSync('keycloak/data/import', { recursive: true })
  cpSync('realm.json', 'keycloak/data/import/realm.json')
  const args = ['--optimized', '--import-realm', '--http-enabled=true', '--http-host=localhost']
  const addresses = [`--http-port=${keycloakPort}`, `--hostname=${APP_URL}`]
  spawn('keycloak/bin/kc.sh', ['start', ...args, ...addresses], { stdio: 'inherit' })
}

async function waitForKeycloak() {
  const isReady = () => fetch(`http://localhost:${keycloakPort}/realms/shop`).then(({ ok }) => ok)
  while (!(await isReady().catch(() => false))) await sleep(500)
}

function forward(request, response) {
  const { method, url: path, headers } = request
  const options = { host: 'localhost', port: keycloakPort, method, path, headers }
  const forwarded = sendRequest(options, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  request.pipe(forwarded)
}

async function findFreePort() {
  const probe = createTcpServer().listen(0, 'localhost')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}
