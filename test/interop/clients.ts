import { secretDigest } from '../e2e/secret-digest.ts'

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/** A relying app or an API that is built on somebody else's library. */
export interface InteropClient {
  /** Also its client id, and the folder in which its source is. */
  name: string
  /** The library that is being tested. */
  library: string
  language: 'Python' | 'Go' | 'Rust' | 'Java' | 'Apache' | 'Ruby' | 'Node'
  /** An app signs users in. An API accepts access tokens. */
  kind: 'app' | 'api'
  /** Print the versions of the tools that it needs, and fail where one is not installed. */
  requires: readonly Command[]
  /** Run in a copy of the folder, before it is started. */
  install?: readonly Command[]
  /** Starts a server on the loopback port that `PORT` in its environment names. */
  start: (port: number) => Command
  /** Where the browser returns after signing in. */
  redirectPath?: string
  /** Where the app sends the browser after signing out. */
  postLogoutPath?: string
  /** The page that signs the user out of the app and of the login service, if it has one. */
  logoutPath?: string
  /** Further fields of its registration. */
  registration?: Record<string, unknown>
}

/** The API that the access tokens of these tests are for. Nothing listens at this address. */
export const API = 'https://interop-api.example'

/** The secret of every app here; the login service stores only its digest. */
export const SECRET = 'interop-secret-9rT2xWq7LmB4'

/** Apps that hold tokens for two APIs. Nothing listens at their redirect URI. */
export const TOKEN_CALLBACK = 'http://localhost:21899/callback'
export const TOKEN_CLIENTS = [
  {
    client_id: 'interop-tokens',
    redirect_uris: [TOKEN_CALLBACK],
    resources: [API],
    first_party: true,
  },
  {
    client_id: 'interop-tokens-for-another-api',
    redirect_uris: [TOKEN_CALLBACK],
    resources: ['https://another-api.example'],
    first_party: true,
  },
]

const VENV: Command = ['python3', '-m', 'venv', 'venv']
const PIP: Command = ['venv/bin/pip', 'install', '--quiet', '-r', 'requirements.txt']
const PYTHON = {
  language: 'Python',
  requires: [['python3', '--version']],
  install: [VENV, PIP],
} as const

const GO = {
  language: 'Go',
  requires: [['go', 'version']],
  install: [
    ['go', 'mod', 'tidy'],
    ['go', 'build', '-o', 'server', '.'],
  ],
  start: (): Command => ['./server'],
} as const

/** The clients of `npm run interop`. */
export const CLIENTS: readonly InteropClient[] = [
  {
    ...PYTHON,
    name: 'flask-authlib',
    library: 'Authlib (Flask)',
    kind: 'app',
    start: (port) => ['venv/bin/flask', 'run', '--port', String(port)],
    redirectPath: '/callback',
    registration: { id_token_claims: 'full' },
  },
  {
    ...PYTHON,
    name: 'django',
    library: 'mozilla-django-oidc',
    kind: 'app',
    install: [VENV, PIP, ['venv/bin/python', 'app.py', 'migrate', '--verbosity', '0']],
    start: (port) => ['venv/bin/python', 'app.py', 'runserver', '--noreload', `localhost:${port}`],
    redirectPath: '/oidc/callback/',
  },
  {
    ...PYTHON,
    name: 'pyjwt',
    library: 'PyJWT',
    kind: 'api',
    start: (port) => ['venv/bin/flask', 'run', '--port', String(port)],
  },
  { ...GO, name: 'go-oidc', library: 'go-oidc', kind: 'app', redirectPath: '/callback' },
  { ...GO, name: 'go-api', library: 'go-oidc, go-jose', kind: 'api' },
]

/** How an operator would register a client whose server listens at this address. */
export function toRegistration(client: InteropClient, appUrl: string) {
  return {
    client_id: client.name,
    redirect_uris: [`${appUrl}${client.redirectPath ?? '/'}`],
    post_logout_redirect_uris: [`${appUrl}${client.postLogoutPath ?? '/'}`],
    client_secrets_sha256: [secretDigest(SECRET)],
    first_party: true,
    ...client.registration,
  }
}

/** The environment in which a client's programs run. */
export function toEnvironment(client: InteropClient, issuer: string, port: number) {
  return {
    ISSUER: issuer,
    CLIENT_ID: client.name,
    CLIENT_SECRET: SECRET,
    APP_URL: `http://localhost:${port}`,
    PORT: String(port),
    API,
    SESSION_SECRET: 'the-secret-that-the-app-protects-its-own-cookies-with',
  }
}
