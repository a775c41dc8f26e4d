import { setTimeout } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { isGranted } from '../../src/administration/admin-scopes.ts'
import type { PathParameters } from '../../src/administration/operation-description.ts'
import { nowInSeconds } from '../../src/foundation/values/clock.ts'
import { isObject, objectsIn, parseJson } from '../../src/foundation/values/json.ts'
import { formatProblem, type Problem } from '../../src/foundation/values/problem.ts'
import { CommandError } from '../command-error.ts'
import { errorMessage } from '../error-message.ts'
import { sanitizeForTerminal } from '../sanitize-for-terminal.ts'
import { COMMON_HEADERS, discoverServer, REQUEST_TIMEOUT } from './authorization-server.ts'
import { type Connection, findConnection } from './connection.ts'
import {
  type Credentials,
  type MachineCredentials,
  type PersonalCredentials,
  writeCredentials,
} from './credentials-file.ts'
import type { CutList } from './limit.ts'
import { OPERATIONS, type OperationId } from './operations.ts'

/** A JSON object of the API. */
export type Resource = Record<string, unknown>

interface ApiRequest extends Partial<PathParameters> {
  query?: Record<string, string | number | undefined>
  /** Sent as JSON; a text is sent as NDJSON. */
  body?: unknown
}

interface AccessToken {
  value: string
  scope: readonly string[]
  /** In seconds since 1970. */
  expiresAt: number
}

/** What the commands need. The service grants what the client may have of it. */
export const SCOPE = 'admin:read admin:support admin:write admin:administrators'

/**
 * A token is replaced this long before it expires, because clocks differ and requests take time.
 */
const EXPIRY_MARGIN = 60 // seconds

/** The lifetime of a token whose response does not name it. */
const DEFAULT_TOKEN_LIFETIME = 120 // seconds

/** The rate limits of the service count per minute. */
const MAX_RETRY_DELAY = 60 // seconds

/** Every list of the API returns pages of this size; some also larger ones. */
const PAGE_SIZE = 100

/** The admin API of a deployment. The access token stays in memory. */
export class AdminApi {
  #credentials: Credentials
  readonly #file: Connection['file']
  #token: Promise<AccessToken> | undefined

  constructor({ credentials, file }: Connection) {
    this.#credentials = credentials
    this.#file = file
  }

  /** Uses the connection that the options of a command select. */
  static async open(values: Parameters<typeof findConnection>[0]): Promise<AdminApi> {
    return new AdminApi(await findConnection(values))
  }

  /** The address of the service. */
  get url(): string {
    return this.#credentials.url
  }

  /**
   * Sends one request, and returns the JSON object in the response. Throws a {@link CommandError}.
   */
  async send<Result extends object = Resource>(
    operationId: OperationId,
    request: ApiRequest = {},
  ): Promise<Result> {
    const response = await this.#fetchWithinLimits(operationId, request)
    const text = await response.text()
    if (!response.ok) throw await this.#problem(response, parseJson(text), operationId, request)
    const body = text === '' ? {} : parseJson(text)
    if (isObject(body)) return body as Result
    throw new CommandError(`${this.url} returned something that is not a JSON object.`)
  }

  /** Every item of a list, read page by page. */
  async list<Item = Resource>(
    operationId: OperationId,
    query: ApiRequest['query'] = {},
  ): Promise<Item[]> {
    const { items } = await this.listUpTo<Item>(Infinity, operationId, query)
    return items
  }

  /** The first items of a list, and how many more the last page has that was read. */
  async listUpTo<Item = Resource>(
    limit: number,
    operationId: OperationId,
    query: ApiRequest['query'] = {},
    id = '',
  ): Promise<CutList<Item>> {
    const read: Item[] = []
    let cursor: unknown
    do {
      const page = await this.send(operationId, {
        id,
        query: { ...query, ...(typeof cursor === 'string' && { cursor }), limit: PAGE_SIZE },
      })
      read.push(...(objectsIn(page['items']) as Item[]))
      cursor = page['next_cursor']
    } while (typeof cursor === 'string' && read.length <= limit)
    const items = read.slice(0, limit)
    return { items, rest: read.length - items.length, isRestLonger: typeof cursor === 'string' }
  }

  /** Waits once if a rate limit is reached, which a long import may do. */
  async #fetchWithinLimits(operationId: OperationId, request: ApiRequest): Promise<Response> {
    const response = await this.#fetch(operationId, request)
    if (response.status !== 429) return response
    const seconds = Number(response.headers.get('Retry-After')) || MAX_RETRY_DELAY
    const delay = Math.min(seconds, MAX_RETRY_DELAY)
    process.stderr.write(`The service limits requests: continuing in ${delay} seconds.\n`)
    await setTimeout(delay * 1000)
    return await this.#fetch(operationId, request)
  }

  async #fetch(
    operationId: OperationId,
    { query = {}, body, ...parameters }: ApiRequest,
  ): Promise<Response> {
    const token = await this.#currentToken()
    const { method, path } = OPERATIONS[operationId]
    const filledPath = path.replaceAll(/:(\w+)/g, (_, name: keyof PathParameters) =>
      encodeURIComponent(parameters[name] ?? ''),
    )
    const url = new URL(`${this.url}/admin/api${filledPath}`)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const headers: Record<string, string> = {
      Authorization: `Bearer ${token.value}`,
      Accept: 'application/json',
      ...COMMON_HEADERS,
    }
    if (body !== undefined) headers['Content-Type'] = contentType(method, body)
    try {
      return await fetch(url, {
        method: method.toUpperCase(),
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT),
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
    } catch (cause) {
      throw unreachable(this.url, cause)
    }
  }

  /** Concurrent requests share one token. */
  async #currentToken(): Promise<AccessToken> {
    this.#token ??= this.#requestToken()
    const token = await this.#token
    if (token.expiresAt - EXPIRY_MARGIN > nowInSeconds()) return token
    this.#token = this.#requestToken()
    return await this.#token
  }

  async #requestToken(): Promise<AccessToken> {
    try {
      const result =
        'client_secret' in this.#credentials
          ? await requestMachineToken(this.#credentials)
          : await this.#refresh(this.#credentials)
      return {
        value: result.access_token,
        scope: (result.scope ?? SCOPE).split(' '),
        expiresAt: nowInSeconds() + (result.expires_in ?? DEFAULT_TOKEN_LIFETIME),
      }
    } catch (cause) {
      // The next attempt requests a token again.
      this.#token = undefined
      throw await tokenError(this.#credentials, cause)
    }
  }

  /** The file gets the new refresh token before the access token is used. */
  async #refresh(credentials: PersonalCredentials): Promise<oauth.TokenEndpointResponse> {
    const { url, client_id, refresh_token } = credentials
    const client = { client_id }
    const { server, options } = await discoverServer(url)
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      refresh_token,
      options,
    )
    const result = await oauth.processRefreshTokenResponse(server, client, response)
    const renewed = { ...credentials, refresh_token: result.refresh_token ?? refresh_token }
    this.#credentials = renewed
    if (this.#file) await writeCredentials(this.#file.folder, this.#file.key, renewed)
    return result
  }

  async #problem(
    response: Response,
    body: unknown,
    operationId: OperationId,
    { id = '' }: ApiRequest,
  ): Promise<CommandError> {
    const { status } = response
    const { path, scope: required } = OPERATIONS[operationId]
    const scope = (await this.#token)?.scope ?? []
    const isProblem = response.headers.get('Content-Type')?.includes('problem+json')
    const mayRead = scope.includes('admin:read')
    // Without a challenge, the role of the administrator forbids it, as the service says.
    const isOfRole = status === 403 && !response.headers.has('WWW-Authenticate')
    if (mayRead && !isGranted(required, scope) && [403, 404].includes(status) && !isOfRole) {
      return new CommandError(
        'client_secret' in this.#credentials
          ? `The client ${this.#credentials.client_id} does not have the scope ${required}. Run \`npx vestibule-auth connect\` without --read-only.`
          : `You have not allowed this computer the scope ${required}. Run \`npx vestibule-auth login\` again.`,
      )
    }
    // The service does not distinguish what does not exist from what the client may not see.
    const isUnknownCaller = status === 404 && response.headers.has('WWW-Authenticate')
    if (!isProblem || !isObject(body) || isUnknownCaller || (status === 404 && !mayRead)) {
      return [401, 403, 404].includes(status)
        ? notConnected(this.#credentials)
        : unexpectedStatus(this.url, status, body)
    }
    if (status === 404) {
      return new CommandError((await this.#missingFeature(path)) ?? describeAbsence(path, id))
    }
    return new CommandError(describeProblem(body), { isTemporary: status >= 500 })
  }

  /** What to add to the deployment, if it does not have the operations with these paths. */
  async #missingFeature(path: string): Promise<string | undefined> {
    const collection = Object.keys(FEATURES).find((name) => path.split('/').includes(name))
    const [call, list] = FEATURES[collection ?? ''] ?? []
    if (list === undefined || (await this.#fetch(list, {})).status !== 404) return undefined
    return `The service has no ${collection}. Add ${call} to the features of its deployment: docs/features.md.`
  }
}

/** The operations of features other than `admin()`: those that list what they are about. */
const FEATURES: Readonly<Record<string, readonly [call: string, list: OperationId]>> = {
  roles: ['roles()', 'listRoles'],
  webhooks: ['webhooks()', 'listWebhooks'],
  'unregistered-clients': ['agents()', 'listUnregisteredClients'],
}

/**
 * {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.4}, for the admin API only (RFC 8707).
 */
async function requestMachineToken({
  url,
  client_id,
  client_secret,
}: MachineCredentials): Promise<oauth.TokenEndpointResponse> {
  const client = { client_id }
  const { server, options } = await discoverServer(url)
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.ClientSecretBasic(client_secret),
    new URLSearchParams({ resource: `${url}/admin/api`, scope: SCOPE }),
    options,
  )
  return oauth.processClientCredentialsResponse(server, client, response)
}

function contentType(method: string, body: unknown): string {
  if (typeof body === 'string') return 'application/x-ndjson'
  return method === 'patch' ? 'application/merge-patch+json' : 'application/json'
}

const NOUNS: Record<string, string> = {
  users: 'user',
  clients: 'client',
  apis: 'API',
  webhooks: 'webhook',
  administrators: 'administrator',
}

function describeAbsence(path: string, id: string): string {
  const [, collection = ''] = path.split('/')
  return `There is no ${NOUNS[collection] ?? 'record'} ${id}.`
}

/** {@link https://www.rfc-editor.org/rfc/rfc9457} */
function describeProblem(problem: Resource): string {
  const { title, detail, problems, request_id: requestId } = problem
  const sentences = Array.isArray(problems) ? problems.filter(isProblem).map(formatProblem) : []
  const summary = toText(detail ?? title ?? 'The request failed.')
  const lines = [summary, ...sentences.map((sentence) => `- ${sentence}`)]
  if (typeof requestId === 'string') lines.push(`Reference: ${requestId}`)
  return lines.map(sanitizeForTerminal).join('\n')
}

function isProblem(value: unknown): value is Problem {
  return isObject(value) && Array.isArray(value['path']) && typeof value['message'] === 'string'
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function notConnected(credentials: Credentials): CommandError {
  const { url, client_id } = credentials
  if ('refresh_token' in credentials) {
    return new CommandError(`You are not an administrator of ${url}.`)
  }
  return new CommandError(
    `The client ${client_id} may not use the admin API of ${url}, or the service is older than this command. Run \`npx vestibule-auth connect\`.`,
  )
}

function unreachable(url: string, cause: unknown): CommandError {
  const reason = cause instanceof Error && cause.cause ? cause.cause : cause
  return new CommandError(
    `${url} does not respond: ${sanitizeForTerminal(errorMessage(reason))}. Is the service running?`,
    { cause, isTemporary: true },
  )
}

function unexpectedStatus(url: string, status: number, body: unknown): CommandError {
  if (status < 500) return new CommandError(`${url} responds with status ${status}.`)
  // Only a local service lists the problems of its settings.
  const problems = isObject(body) && Array.isArray(body['problems']) ? body['problems'] : []
  const lines = problems.map((problem) => `\n- ${sanitizeForTerminal(toText(problem))}`)
  return new CommandError(
    `${url} responds with status ${status}. Run \`npx vestibule-auth doctor ${url}\`.${lines.join('')}`,
    { isTemporary: true },
  )
}

/** Why the service has issued no token. */
export async function tokenError(credentials: Credentials, cause: unknown): Promise<CommandError> {
  const { url, client_id } = credentials
  const error = tokenErrorCode(cause)
  if (error === 'invalid_client') {
    return new CommandError(
      `The service rejects the secret of the client ${client_id}, or has no such client. Run \`npx vestibule-auth connect\`.`,
      { cause },
    )
  }
  if (error === 'invalid_grant') {
    return new CommandError(
      `Your sign-in at ${url} has expired or was ended. Run \`npx vestibule-auth login\`.`,
      { cause },
    )
  }
  if (error === 'invalid_target') {
    return new CommandError(
      `${url} issues no token for the admin API. Add admin() to the features of its deployment, or run \`npx vestibule-auth connect\`.`,
      { cause },
    )
  }
  if (['invalid_scope', 'unauthorized_client'].includes(error ?? '')) {
    return notConnected(credentials)
  }
  if (error !== undefined) {
    return new CommandError(`${url} issues no token: ${sanitizeForTerminal(error)}.`, {
      cause,
      isTemporary: error === 'temporarily_unavailable',
    })
  }
  if (cause instanceof oauth.OperationProcessingError) {
    const response = cause.cause
    if (response instanceof Response && response.status >= 500) {
      const body = await response.text().catch(() => '')
      return unexpectedStatus(url, response.status, parseJson(body))
    }
    return new CommandError(
      `${url} issues no token: ${sanitizeForTerminal(errorMessage(cause))}. Is this the address of a login service?`,
      { cause },
    )
  }
  return unreachable(url, cause)
}

/**
 * The OAuth error in a response. The service challenges clients only if they fail to authenticate.
 */
function tokenErrorCode(cause: unknown): string | undefined {
  if (cause instanceof oauth.ResponseBodyError) return cause.error
  return cause instanceof oauth.WWWAuthenticateChallengeError ? 'invalid_client' : undefined
}
