import type { Config } from '../../../core/config/config.ts'
import { settingName } from '../../../core/config/providers.ts'
import { withDeadline } from '../../../core/fetch/deadline.ts'
import { unsentAnswers } from '../../../core/metrics/count.ts'
import type { CredentialsAnswers } from '../../../core/metrics/counts.ts'
import type { Finding } from '../../../core/readiness/requirement.ts'
import { enabledProviders } from '../../../core/upstream/enabled-providers.ts'
import { digestCredentials } from '../../../core/upstream/our-credentials.ts'
import { signInMethods } from '../../../core/upstream/sign-in-methods.ts'
import { metricsObject } from './metrics-object.ts'
import { updateRejections } from './rejections.ts'

/** Shorter than that of other checks: the service works without the object of the metrics. */
const METRICS_DEADLINE = 1_000 // milliseconds

/** Users can sign in while one method is left. Only a sign-in shows that credentials are valid. */
export async function checkCredentials(env: Env, config: Config): Promise<Finding> {
  // Without the object of the metrics, nothing is known, and sign-ins work.
  const read = withDeadline(
    readRejections(env),
    METRICS_DEADLINE,
    () => new Error('It took too long.'),
  )
  const rejections = await read.catch(() => ({}) as CredentialsAnswers)
  const rejected: { id: string; error: string | undefined }[] = []
  for (const provider of enabledProviders(config)) {
    const { id } = provider
    const { credentials, error } = rejections[id] ?? {}
    if (credentials === (await digestCredentials(provider))) rejected.push({ id, error })
  }
  if (rejected.length === 0) return {}
  const names = rejected.map(({ id, error }) => `${id} (${error})`)
  const settings = rejected.flatMap(({ id }) => [settingName(id, 'ID'), settingName(id, 'SECRET')])
  return {
    problem: `The credentials of this service are rejected by ${names.join(' and ')}.`,
    fix: `Compare ${settings.join(' and ')} with the provider's developer portal, correct them, and sign in.`,
    isWarning: rejected.length < signInMethods(config).length,
  }
}

/** The providers that rejected our credentials, and have accepted none since. */
async function readRejections(env: Env): Promise<CredentialsAnswers> {
  return updateRejections(await metricsObject(env).readRejections(), unsentAnswers())
}
