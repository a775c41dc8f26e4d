import { CallbackError } from '../../core/callbacks/callback-error.ts'
import { withDeadline } from '../../core/fetch/deadline.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { InvalidUserError, parseUser } from '../../core/upstream/user-schema.ts'
import { forwardedRequest } from '../../define-feature/forwarded-request.ts'
import type { CredentialsConfig } from '../../provider-interface/local-types.ts'
import type { User } from '../../provider-interface/oauth-types.ts'

/** As long as other code of a deployment may take: a user waits for it. */
const DEADLINE = 5_000 // milliseconds

/**
 * A response that rejects credentials takes at least this long, so that its time does not reveal
 * whether `authorize` found a user and had to check a password. The timer starts before `authorize`
 * does.
 */
const MIN_REJECTION_TIME = 500 // milliseconds

/**
 * Calls the deployment's own check. Returns nothing if the credentials are wrong. Otherwise the
 * result is validated like the profile of a provider.
 */
export async function authorize(
  c: AppContext,
  provider: CredentialsConfig,
  credentials: Record<string, string>,
): Promise<User | undefined> {
  const earliest = scheduler.wait(MIN_REJECTION_TIME)
  try {
    const result = await callAuthorize(c, provider, credentials)
    const isRejected = result === null || result === undefined || result === false
    if (!isRejected) return parseResult(provider, result)
  } catch (error) {
    await earliest
    throw error
  }
  await earliest
  return undefined
}

async function callAuthorize(
  c: AppContext,
  provider: CredentialsConfig,
  credentials: Record<string, string>,
): Promise<unknown> {
  const name = `authorize of the provider ${provider.id}`
  const request = forwardedRequest(c)
  try {
    const work = Promise.resolve().then(() => provider.authorize({ ...credentials }, request))
    return await withDeadline(work, DEADLINE, () => {
      const text = `${name} took longer than ${DEADLINE / 1000} seconds.`
      return new CallbackError(text, { isTimeout: true })
    })
  } catch (error) {
    if (error instanceof CallbackError) throw error
    if (isRejection(error)) return undefined
    // biome-ignore lint/style/useErrorCause: the cause would be logged, and its message may quote the credentials.
    throw new CallbackError(`${name} failed: ${withoutMessage(error)}`)
  }
}

/** The error that Auth.js defines for wrong credentials. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'CredentialsSignin' || Reflect.get(error, 'type') === 'CredentialsSignin'
}

function parseResult({ id }: CredentialsConfig, result: unknown): User {
  try {
    return parseUser(result)
  } catch (error) {
    const returned =
      error instanceof InvalidUserError ? error.message : 'a value that cannot be read'
    throw new CallbackError(`authorize of the provider ${id} returned ${returned}.`, {
      cause: error,
    })
  }
}

/** The name and stack of an error, without its message, which may quote the credentials. */
function withoutMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'it threw a value that is not an Error.'
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [/^\w{1,60}$/.test(error.name) ? error.name : 'Error', ...frames].join('\n')
}
