import { dirname, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { COMMAND_LINE_CLIENT_ID } from '../src/core/registration-schemas/clients.ts'
import { AdminApi, SCOPE, tokenError } from './admin/admin-api.ts'
import { discoverServer } from './admin/authorization-server.ts'
import { confirmConsequences } from './admin/confirm.ts'
import { CONNECTION_OPTIONS, requireSafeUrl } from './admin/connection.ts'
import {
  type Credentials,
  credentialsPath,
  deploymentFolder,
  environmentKey,
  hasWranglerFile,
  ignoreInGit,
  type PersonalCredentials,
  readCredentials,
  writeCredentials,
} from './admin/credentials-file.ts'
import { printJson, printLine } from './admin/format.ts'
import { revokeAccess, revokeFormerAccess } from './admin/personal-access.ts'
import { readDeployment } from './admin/storage.ts'
import { type Command, defineCommand, type OptionValues } from './command.ts'
import { CommandError } from './command-error.ts'
import { openBrowser } from './open-browser.ts'
import { sanitizeForTerminal } from './sanitize-for-terminal.ts'

const CLIENT = { client_id: COMMAND_LINE_CLIENT_ID }

/** What RFC 8628 prescribes if the service does not say it. */
const DEFAULT_INTERVAL = 5 // seconds

/** Signs an administrator in. */
export const login: Command = defineCommand({
  argument: '[url]',
  summary: 'Sign in to the admin API as an administrator',
  details: `Shows a code, which you enter in a browser on any device, where you sign in and confirm; Enter opens the page
on this computer. Without a URL, it is the deployment in this folder. The access is stored in .vestibule/credentials.json, which only you
can read and git ignores. It allows what your role allows, and ends with \`logout\`, on your account page,
after a month without use, and after a year.`,
  options: CONNECTION_OPTIONS,
  async run({ values, argument }) {
    const place = await findPlace(values, argument)
    const former = (await readCredentials(place.folder))?.[place.key]
    await confirmUrl(place, former, values)
    await ignoreInGit(place.folder)
    const credentials = await signIn(place.url)
    // Stored first, so that an interrupted command leaves this computer signed in.
    await writeCredentials(place.folder, place.key, credentials)
    await revokeFormerAccess(former)
    await requireAdministrator(place, credentials)
    const file = relative('.', credentialsPath(place.folder))
    if (values.json) printJson({ url: place.url, file })
    else printLine(`Signed in to ${place.url}. The access is stored in ${file}.`)
  },
})

/** Signs an administrator out. */
export const logout: Command = defineCommand({
  argument: '[url]',
  summary: 'End the access that `login` has given this computer',
  options: CONNECTION_OPTIONS,
  async run({ values, argument }) {
    const place = await findPlace(values, argument)
    const stored = (await readCredentials(place.folder))?.[place.key]
    if (!stored || !('refresh_token' in stored)) {
      throw new CommandError(`This computer is not signed in to ${place.url}.`)
    }
    if (stored.url !== place.url) {
      throw new CommandError(
        `This computer is signed in to ${stored.url}, not to ${place.url}. Run \`npx vestibule-auth logout ${stored.url}\`.`,
      )
    }
    await end(place, stored)
    if (values.json) printJson({ url: stored.url })
    else printLine(`Signed out of ${stored.url}.`)
  },
})

/** A service, and where the access to it is stored. */
interface Place {
  url: string
  folder: string
  key: string
}

async function findPlace(
  values: { env?: string | undefined; local?: boolean | undefined; config?: string | undefined },
  url: string,
): Promise<Place> {
  const { env, local = false, config } = values
  if (url) {
    const folder = config === undefined ? deploymentFolder(process.cwd()) : dirname(resolve(config))
    return { url: requireSafeUrl(url), folder, key: environmentKey(env, local) }
  }
  const { origin, configPath, isLocalCopy } = await readDeployment(values)
  const key = environmentKey(env, isLocalCopy)
  return { url: requireSafeUrl(origin), folder: dirname(configPath), key }
}

/**
 * Asks before the commands in this folder use another service than the deployed or the former one.
 */
async function confirmUrl(
  { url, folder }: Place,
  former: Credentials | undefined,
  values: OptionValues<typeof CONNECTION_OPTIONS>,
): Promise<void> {
  const deployment = hasWranglerFile(folder)
    ? await readDeployment(values).catch(() => undefined)
    : undefined
  const known = [deployment?.origin, former?.url].filter((origin) => origin !== undefined)
  if (known.length === 0 || known.includes(url)) return
  const services = [...new Set(known)].join(' and ')
  await confirmConsequences(
    `This folder belongs to ${services}. After this login, the commands in it use ${url}.`,
    values.yes,
  )
}

/** {@link https://www.rfc-editor.org/rfc/rfc8628} */
async function signIn(url: string): Promise<PersonalCredentials> {
  try {
    const { server, options } = await discoverServer(url)
    if (!server.device_authorization_endpoint) throw new CommandError(noDeviceFlow(url))
    const response = await oauth.deviceAuthorizationRequest(
      server,
      CLIENT,
      oauth.None(),
      new URLSearchParams({ scope: `offline_access ${SCOPE}`, resource: `${url}/admin/api` }),
      options,
    )
    const device = await oauth.processDeviceAuthorizationResponse(server, CLIENT, response)
    process.stderr.write(
      `Open ${sanitizeForTerminal(device.verification_uri)} in a browser, and enter the code ${sanitizeForTerminal(device.user_code)}\n`,
    )
    const stopOffering = offerBrowser(url, device)
    try {
      let interval = device.interval ?? DEFAULT_INTERVAL
      for (;;) {
        await setTimeout(interval * 1000)
        const result = await poll({ server, options }, device.device_code)
        if (result === 'slow_down') interval += DEFAULT_INTERVAL
        else if (result !== 'authorization_pending') {
          return { url, ...CLIENT, refresh_token: result.refresh_token ?? '' }
        }
      }
    } finally {
      stopOffering()
    }
  } catch (cause) {
    throw await signInError(url, cause)
  }
}

/**
 * On a terminal, opens the page when Enter is pressed, and returns what ends the offer. The page
 * shows the code, which the administrator compares with the terminal. Only pages of the service are
 * opened.
 */
function offerBrowser(
  url: string,
  { verification_uri, verification_uri_complete }: oauth.DeviceAuthorizationResponse,
): () => void {
  const page = URL.parse(verification_uri_complete ?? verification_uri)
  if (!process.stdin.isTTY || page?.origin !== url) return () => undefined
  process.stderr.write('Press Enter to open it in the browser of this computer.\n')
  const terminal = createInterface({ input: process.stdin })
  terminal.once('line', () => openBrowser(page))
  return () => terminal.close()
}

function noDeviceFlow(url: string): string {
  return `${url} has no device flow, with which this command signs you in. Add device() of vestibule-auth/features to the features of createVestibule, and deploy.`
}

async function poll(
  { server, options }: Awaited<ReturnType<typeof discoverServer>>,
  deviceCode: string,
): Promise<oauth.TokenEndpointResponse | 'authorization_pending' | 'slow_down'> {
  const none = oauth.None()
  const response = await oauth.deviceCodeGrantRequest(server, CLIENT, none, deviceCode, options)
  try {
    return await oauth.processDeviceCodeResponse(server, CLIENT, response)
  } catch (error) {
    const code = error instanceof oauth.ResponseBodyError ? error.error : undefined
    if (code === 'authorization_pending' || code === 'slow_down') return code
    throw error
  }
}

async function signInError(url: string, cause: unknown): Promise<CommandError> {
  if (cause instanceof CommandError) return cause
  const code = cause instanceof oauth.ResponseBodyError ? cause.error : undefined
  if (code === 'access_denied') return new CommandError('The request was denied.', { cause })
  if (code === 'expired_token') {
    return new CommandError('The code has expired: run the command again.', { cause })
  }
  return tokenError({ url, ...CLIENT, refresh_token: '' }, cause)
}

/** Uses the access once. A computer of somebody who is not an administrator does not keep it. */
async function requireAdministrator(place: Place, credentials: PersonalCredentials): Promise<void> {
  try {
    const file = { folder: place.folder, key: place.key }
    await new AdminApi({ credentials, file }).send('listClients', { query: { limit: 1 } })
  } catch (error) {
    const stored = (await readCredentials(place.folder))?.[place.key]
    if (stored && 'refresh_token' in stored) await end(place, stored)
    throw error
  }
}

/** Revokes the access, and forgets it even if the service does not respond. */
async function end({ folder, key }: Place, credentials: PersonalCredentials): Promise<void> {
  try {
    await revokeAccess(credentials)
  } finally {
    await writeCredentials(folder, key, undefined)
  }
}
