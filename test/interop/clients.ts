import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../e2e/chromium.ts'
import { secretDigest } from '../e2e/secret-digest.ts'
import { API_PORT_OFFSET, apiUrl } from './examples.ts'

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/** A relying app or an API that is built on somebody else's library. */
export interface InteropClient {
  /**
   * The folder in which its source is: here, or in the repository if it is one of `examples/`. Also its
   * client id, except of those that have our libraries.
   */
  name: string
  /** The library that is being tested. */
  library: string
  language: 'Python' | 'Go' | 'Rust' | 'Java' | 'Apache' | 'Ruby' | 'PHP' | 'Node'
  /**
   * An app signs users in. An API accepts access tokens. Frontends and servers have our own
   * libraries, and are opened in Chromium. An agent is a program that connects to the MCP server of the demo,
   * although nobody has registered it. A native app is a program that is registered. Tests start a
   * login service of their own. Types are only compiled.
   */
  kind: 'app' | 'api' | 'frontends' | 'server' | 'agent' | 'native' | 'tests' | 'types'
  /** Print the versions of the tools that it needs, and fail where one is not installed. */
  requires: readonly Command[]
  /** Whether our packed library is installed, with what its package.json lists. */
  installsLibrary?: boolean
  /** Run in a copy of the folder, before it is started. */
  install?: readonly Command[]
  /**
   * Starts a server on the loopback port that `PORT` in its environment names. An agent or native app
   * runs to its end, and receives codes at that port.
   */
  start: (port: number) => Command
  /** A native app whose tokens are bound to a key. */
  isBound?: boolean
  /** An API whose access tokens are those of {@link LEGACY_API}. */
  isLegacy?: boolean
  /** An API that rejects tokens after a sign-out. */
  readsRevocations?: boolean
  /** False if its page shows only the user id. */
  showsName?: boolean
  /** Where an API responds with the user, if not at `/`. */
  path?: string
  /** Further pages of a frontend that show who is signed in. */
  pages?: readonly string[]
  /** Where the browser returns after signing in. */
  redirectPath?: string
  /** Where the app sends the browser after signing out. */
  postLogoutPath?: string
  /** Where the login service announces that a session has ended, if the app ends its own then. */
  backchannelPath?: string
  /** The page that signs the user out of the app and of the login service, if it has one. */
  logoutUrl?: (appUrl: string) => string
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The API that the access tokens of these tests are for. Nothing listens at this address. */
const API = 'https://interop-api.example'

/** An API whose verifier does not accept our defaults. Nothing listens at this address. */
export const LEGACY_API = {
  identifier: 'https://interop-legacy-api.example',
  access_token_type: 'JWT',
  access_token_signing_alg: 'RS256',
  single_audience: true,
}

/** The secret of every app here; the login service stores only its digest. */
export const SECRET = 'interop-secret-9rT2xWq7LmB4'

/** Protects the own cookies of every app here. Sinatra requires at least 32 bytes in hex. */
export const SESSION_SECRET = '3f8a1c6e92d04b75'.repeat(4)

/** Apps that hold tokens for these APIs and another one. Nothing listens at their redirect URI. */
export const TOKEN_CALLBACK = 'http://localhost:21899/callback'
export const TOKEN_CLIENTS = [
  {
    client_id: 'interop-tokens',
    redirect_uris: [TOKEN_CALLBACK],
    resources: [API],
    first_party: true,
  },
  {
    client_id: 'interop-tokens-for-a-legacy-api',
    redirect_uris: [TOKEN_CALLBACK],
    resources: [LEGACY_API.identifier],
    first_party: true,
  },
  {
    client_id: 'interop-tokens-for-another-api',
    redirect_uris: [TOKEN_CALLBACK],
    resources: ['https://another-api.example'],
    first_party: true,
  },
]

/** The client of an operator, who revokes keys. */
export const OPERATOR = {
  client_id: 'interop-operator',
  grant_types: ['client_credentials'],
  client_secrets_sha256: [secretDigest(SECRET)],
  scope: 'admin:write',
}

const VENV: Command = ['python3', '-m', 'venv', 'venv']
const PIP: Command = ['venv/bin/pip', 'install', '--quiet', '-r', 'requirements.txt']
const PYTHON = {
  language: 'Python',
  requires: [['python3', '--version']],
  install: [VENV, PIP],
} as const

const DJANGO = {
  ...PYTHON,
  install: [VENV, PIP, ['venv/bin/python', 'app.py', 'migrate', '--verbosity', '0']],
  start: (port: number): Command => [
    'venv/bin/python',
    'app.py',
    'runserver',
    '--noreload',
    `localhost:${port}`,
  ],
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

const MAVEN = {
  language: 'Java',
  requires: [
    ['java', '-version'],
    ['mvn', '--version'],
  ],
  install: [['mvn', '--quiet', '--batch-mode', '--no-transfer-progress', 'package']],
} as const

const SPRING = {
  ...MAVEN,
  start: (port: number): Command => ['java', '-jar', 'target/app.jar', `--server.port=${port}`],
} as const

const NPM_INSTALL: Command = ['npm', 'install', '--legacy-peer-deps', '--no-audit', '--no-fund']

const AGENT = {
  language: 'Node',
  kind: 'agent',
  requires: [['npm', '--version']],
  install: [NPM_INSTALL],
  start: (): Command => [process.execPath, 'client.js'],
} as const

/**
 * The metadata document of the agents. The login service gets it from `startServices`, because
 * libraries reject documents that are not on https.
 */
export const AGENT_DOCUMENT = {
  client_id: 'https://assistant.example/oauth/client.json',
  client_name: 'An assistant',
  client_uri: 'https://assistant.example',
  redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

const CHROMIUM: Command = [chromiumPath ?? 'chromium', '--version']

const INSTALL = 'npm install --no-audit --no-fund "$LIBRARY"'

export const INSTALL_LIBRARY: Command = ['sh', '-c', INSTALL]

/** Needs npm and Chromium. */
const IN_CHROMIUM = {
  language: 'Node',
  requires: [['npm', '--version'], CHROMIUM],
  installsLibrary: true,
} as const satisfies Partial<InteropClient>

/** Writes recipes of a page in docs/ into the folder of the client. */
function writeRecipes(page: string, ...headings: string[]): Command {
  return [process.execPath, `${ROOT}test/interop/write-recipes.ts`, page, ...headings]
}

const BUILD: Command = ['npm', 'run', 'build']

/** A server of examples/, which reads its settings from the environment. */
function serverExample(name: string, library: string, ...install: Command[]) {
  return {
    ...IN_CHROMIUM,
    name: `examples/${name}`,
    library: `our packed library with ${library}`,
    kind: 'server',
    install,
    start: (): Command => ['npm', 'start'],
  } as const satisfies InteropClient
}

/** The clients of `npm run interop`. */
export const CLIENTS: readonly InteropClient[] = [
  {
    ...PYTHON,
    name: 'flask-authlib',
    library: 'Authlib (Flask)',
    kind: 'app',
    start: (port) => ['venv/bin/flask', 'run', '--port', String(port)],
    redirectPath: '/callback',
  },
  {
    ...DJANGO,
    name: 'django',
    library: 'mozilla-django-oidc',
    kind: 'app',
    redirectPath: '/oidc/callback/',
  },
  {
    ...DJANGO,
    name: 'django-allauth',
    library: 'django-allauth',
    kind: 'app',
    redirectPath: '/accounts/oidc/vestibule/login/callback/',
  },
  {
    ...PYTHON,
    name: 'pyjwt',
    library: 'PyJWT',
    kind: 'api',
    readsRevocations: true,
    start: (port) => ['venv/bin/flask', 'run', '--port', String(port)],
  },
  { ...GO, name: 'go-oidc', library: 'go-oidc', kind: 'app', redirectPath: '/callback' },
  { ...GO, name: 'zitadel-oidc', library: 'zitadel/oidc', kind: 'app', redirectPath: '/callback' },
  {
    ...GO,
    name: 'oauth2-proxy',
    library: 'oauth2-proxy',
    kind: 'app',
    install: [
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'oauth2-proxy', 'github.com/oauth2-proxy/oauth2-proxy/v7'],
    ],
    start: () => [process.execPath, 'app.js'],
    redirectPath: '/oauth2/callback',
    showsName: false,
  },
  { ...GO, name: 'go-api', library: 'go-oidc, go-jose', kind: 'api', readsRevocations: true },
  {
    name: 'rust-openidconnect',
    library: 'openidconnect',
    language: 'Rust',
    kind: 'app',
    requires: [['cargo', '--version']],
    install: [['cargo', 'build', '--quiet']],
    start: () => ['target/debug/app'],
    redirectPath: '/callback',
  },
  {
    ...SPRING,
    name: 'spring-client',
    library: 'Spring Security, OAuth 2.0 client',
    kind: 'app',
    redirectPath: '/login/oauth2/code/vestibule',
    logoutUrl: (appUrl) => `${appUrl}/logout`,
  },
  {
    ...SPRING,
    name: 'spring-resource-server',
    library: 'Spring Security, resource server',
    kind: 'api',
  },
  {
    ...MAVEN,
    name: 'quarkus',
    library: 'Quarkus OIDC',
    kind: 'app',
    start: (port) => [
      'java',
      `-Dquarkus.http.port=${port}`,
      '-jar',
      'target/quarkus-app/quarkus-run.jar',
    ],
    redirectPath: '/callback',
    logoutUrl: (appUrl) => `${appUrl}/logout`,
  },
  {
    name: 'apache',
    library: 'mod_auth_openidc',
    language: 'Apache',
    kind: 'app',
    requires: [
      ['apache2', '-v'],
      ['ls', '/usr/lib/apache2/modules/mod_auth_openidc.so'],
    ],
    start: () => ['sh', '-c', 'exec apache2 -d "$PWD" -f httpd.conf -D FOREGROUND'],
    redirectPath: '/redirect_uri',
    logoutUrl: (appUrl) => `${appUrl}/redirect_uri?logout=${encodeURIComponent(`${appUrl}/`)}`,
  },
  {
    name: 'ruby-omniauth',
    library: 'omniauth-openid-connect (Sinatra)',
    language: 'Ruby',
    kind: 'app',
    requires: [['ruby', '-e', 'require "sinatra/base"; require "omniauth_openid_connect"']],
    start: () => ['ruby', '-r', './allow_http.rb', 'app.rb'],
    redirectPath: '/auth/vestibule/callback',
  },
  {
    name: 'php',
    library: 'jumbojett/openid-connect-php',
    language: 'PHP',
    kind: 'app',
    requires: [
      ['php', '--version'],
      ['composer', 'show', '--all', 'jumbojett/openid-connect-php'],
    ],
    install: [['composer', 'install', '--no-interaction']],
    start: (port) => ['php', '-S', `localhost:${port}`, 'index.php'],
    redirectPath: '/',
  },
  {
    name: 'better-auth',
    library: 'better-auth, genericOAuth',
    language: 'Node',
    kind: 'app',
    requires: [['npm', '--version']],
    install: [NPM_INSTALL],
    start: () => [process.execPath, 'app.js'],
    redirectPath: '/api/auth/callback/vestibule',
  },
  {
    // Not in `npm test`: it would install Next.js, which it is not tested with.
    name: 'next-auth',
    library: 'NextAuth.js 4',
    language: 'Node',
    kind: 'app',
    requires: [['npm', '--version']],
    install: [NPM_INSTALL],
    start: () => [process.execPath, 'app.js'],
    redirectPath: '/api/auth/callback/vestibule',
    showsName: false,
  },
  {
    name: 'keycloak',
    library: 'Keycloak, identity brokering',
    language: 'Java',
    kind: 'app',
    requires: [...MAVEN.requires, ['npm', '--version']],
    install: [
      ...MAVEN.install,
      ['sh', '-c', 'mv unpacked/keycloak-* keycloak'],
      ['keycloak/bin/kc.sh', 'build', '--db=dev-file', '--cache=local'],
      NPM_INSTALL,
    ],
    start: () => [process.execPath, 'app.js'],
    redirectPath: '/realms/shop/broker/vestibule/endpoint',
    postLogoutPath: '/realms/shop/broker/vestibule/endpoint/logout_response',
    backchannelPath: '/realms/shop/protocol/openid-connect/logout/backchannel-logout',
    logoutUrl: (appUrl) => `${appUrl}/logout`,
  },
  serverExample('express', 'Express'),
  serverExample('fastify', 'Fastify'),
  serverExample('hono', 'Hono'),
  {
    ...serverExample('worker', 'Cloudflare Workers'),
    start: (port) => [
      'sh',
      '-c',
      // Instead of .dev.vars.
      `CLOUDFLARE_INCLUDE_PROCESS_ENV=true exec npm start -- --port ${port} --inspector-port 0`,
    ],
  },
  {
    ...IN_CHROMIUM,
    name: 'examples/hono-api',
    library: 'our packed library with Hono',
    kind: 'api',
    readsRevocations: true,
    path: '/orders',
    start: () => ['npm', 'start'],
  },
  {
    ...IN_CHROMIUM,
    name: 'examples/react-vite',
    library: 'our packed libraries with React and Vite, and the example of an API',
    kind: 'frontends',
    install: [
      ['npm', 'run', 'build'],
      ['cp', '--recursive', `${ROOT}examples/hono-api`, 'api'],
      ['sh', '-c', `cd api && ${INSTALL}`],
    ],
    start: (port) => [
      'sh',
      '-c',
      `(cd api && PORT=${port + API_PORT_OFFSET} npm start) & exec npm start -- --port ${port}`,
    ],
  },
  serverExample('next', 'Next.js', BUILD),
  serverExample('sveltekit', 'SvelteKit', BUILD),
  serverExample('nuxt', 'Nuxt', BUILD),
  serverExample('react-router', 'React Router', BUILD),
  serverExample('astro', 'Astro', BUILD),
  {
    name: 'frontends',
    ...IN_CHROMIUM,
    library: 'our packed libraries with React 18, Vite, Vue, Svelte and Hono 4.10',
    kind: 'frontends',
    pages: ['vue', 'svelte'],
    install: [
      [process.execPath, `${ROOT}test/interop/write-frontends.ts`],
      [process.execPath, 'render-on-server.js'],
    ],
    start: (port) => [
      'sh',
      '-c',
      `PORT=${port + API_PORT_OFFSET} "${process.execPath}" app.ts & exec "${process.execPath}" node_modules/vite/bin/vite.js --port ${port} --strictPort`,
    ],
  },
  {
    name: 'testing',
    ...IN_CHROMIUM,
    library: 'our packed library for tests, with Playwright and Vitest',
    kind: 'tests',
    install: [
      writeRecipes('server.md', '', 'Hono'),
      writeRecipes('testing.md', 'Playwright', 'Vitest', 'GitHub Actions'),
    ],
    start: () => [process.execPath, 'run-workflow.js'],
  },
  {
    name: 'native-recipes',
    library: 'the recipes for Expo and Electron',
    language: 'Node',
    kind: 'types',
    requires: [['npm', '--version']],
    install: [
      [...NPM_INSTALL, '--ignore-scripts'], // Electron would fetch its program.
      writeRecipes('native-apps.md', 'Expo', 'Electron, or any program with loopback'),
    ],
    start: () => ['npx', 'tsc'],
  },
  {
    ...PYTHON,
    name: 'mcp-python',
    library: 'MCP Python SDK',
    kind: 'agent',
    start: () => ['venv/bin/python', 'client.py'],
  },
  {
    ...PYTHON,
    name: 'dpop-python',
    library: 'requests_oauth2client',
    kind: 'native',
    isBound: true,
    start: () => ['venv/bin/python', 'client.py'],
  },
  { ...AGENT, name: 'appauth-js', library: 'AppAuth for JavaScript', kind: 'native' },
  { ...AGENT, name: 'mcp-typescript-1', library: 'MCP TypeScript SDK 1' },
  { ...AGENT, name: 'mcp-inspector', library: 'MCP Inspector' },
  { ...AGENT, name: 'mcp-conformance', library: 'the conformance suite of MCP' },
]

const NODE = {
  language: 'Node',
  requires: [],
  start: (): Command => [process.execPath, 'app.js'],
} as const

/**
 * The clients of `npm test`. Their libraries are development dependencies, so they run without
 * being copied.
 */
export const NODE_CLIENTS: readonly InteropClient[] = [
  {
    ...NODE,
    name: 'auth-js',
    library: '@auth/core',
    kind: 'app',
    redirectPath: '/auth/callback/login',
    logoutUrl: (appUrl) => `${appUrl}/logout`,
  },
  {
    ...NODE,
    name: 'express-openid-connect',
    library: 'express-openid-connect',
    kind: 'app',
    redirectPath: '/callback',
    postLogoutPath: '',
    logoutUrl: (appUrl) => `${appUrl}/logout`,
  },
  {
    ...NODE,
    name: 'passport',
    library: 'passport-openidconnect',
    kind: 'app',
    redirectPath: '/callback',
  },
  {
    ...NODE,
    name: 'hono',
    library: '@hono/oidc-auth',
    kind: 'app',
    redirectPath: '/callback',
    showsName: false,
  },
  { ...NODE, name: 'hono-api', library: 'hono, jose', kind: 'api' },
  { ...NODE, name: 'hono-jwk', library: 'hono/jwk', kind: 'api', isLegacy: true },
  { ...NODE, name: 'fastify-api', library: '@fastify/jwt, get-jwks', kind: 'api' },
]

/** How an operator would register a client whose server listens at this address. */
export function toRegistration(client: InteropClient, appUrl: string) {
  if (client.kind === 'native') {
    return {
      client_id: client.name,
      application_type: 'native',
      redirect_uris: ['com.example.interop:/callback', 'http://127.0.0.1/callback'],
      dpop_bound_access_tokens: client.isBound ?? false,
      first_party: true,
    }
  }
  return {
    client_id: client.name,
    redirect_uris: [`${appUrl}${client.redirectPath ?? '/'}`],
    post_logout_redirect_uris: [`${appUrl}${client.postLogoutPath ?? '/'}`],
    ...(client.backchannelPath && {
      backchannel_logout_uri: `${appUrl}${client.backchannelPath}`,
    }),
    client_secrets_sha256: [secretDigest(SECRET)],
    first_party: true,
  }
}

/** The environment in which a client's programs run. */
export function toEnvironment(
  client: InteropClient,
  { login, mcp }: { login: string; mcp: string },
  port: number,
) {
  const appUrl = `http://localhost:${port}`
  return {
    ISSUER: login,
    LOGIN_URL: login,
    MCP_URL: mcp,
    CLIENT_METADATA_URL: AGENT_DOCUMENT.client_id,
    CLIENT_ID: client.name,
    CLIENT_SECRET: SECRET,
    APP_URL: appUrl,
    /** The API that an example calls, or is. */
    API_URL: client.kind === 'api' ? API : apiUrl(appUrl),
    PORT: String(port),
    VITE_LOGIN_URL: login,
    VITE_API_URL: apiUrl(appUrl),
    API: client.isLegacy ? LEGACY_API.identifier : API,
    SESSION_SECRET,
  }
}
