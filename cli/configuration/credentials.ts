import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { errorMessage } from '../error-message.ts'
import { type Finding, good, problem, skipped, warning } from '../finding.ts'
import { sendRequest } from '../http-request.ts'
import { platformErrorMeaning } from '../platform-error-meanings.ts'

const NAME = 'credentials'
const PLATFORM_API = 'https://open.tiktokapis.com'

interface SecretSetting {
  name: string
  secret: string
}

/**
 * Checks that the client key and each client secret belong together, by requesting a
 * client-credentials token that is then discarded. While a secret is being rotated there are two.
 */
export async function checkCredentials(
  settings: Record<string, unknown>,
  offline: boolean,
): Promise<Finding[]> {
  const { AUTH_TIKTOK_ID: key, AUTH_TIKTOK_API_URL: standIn } = settings
  if (typeof key !== 'string') return []
  if (offline) return [skipped(NAME, 'not checked because of --offline')]
  const apiUrl = typeof standIn === 'string' ? standIn : PLATFORM_API
  // Secrets are sent only to the platform and to this machine.
  if (apiUrl !== PLATFORM_API && !isLoopback(apiUrl)) {
    return [
      skipped(
        NAME,
        'not sent, because AUTH_TIKTOK_API_URL is neither the platform nor a loopback address',
      ),
    ]
  }
  const secrets = ['AUTH_TIKTOK_SECRET', 'AUTH_TIKTOK_SECRET_1']
    .map((name) => ({ name, secret: settings[name] }))
    .filter(
      (entry): entry is SecretSetting => Boolean(entry.secret) && typeof entry.secret === 'string',
    )
  const findings = await Promise.all(secrets.map((secret) => checkSecret(apiUrl, key, secret)))
  return downgradeIfOneSecretWorks(findings)
}

async function checkSecret(
  apiUrl: string,
  key: string,
  { name, secret }: SecretSetting,
): Promise<Finding> {
  const body = new URLSearchParams({
    client_key: key,
    client_secret: secret,
    grant_type: 'client_credentials',
  })
  try {
    const { json } = await sendRequest(`${apiUrl}/v2/oauth/token/`, {
      method: 'POST',
      // Without a charset, which the platform rejects.
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    })
    if (typeof json?.['access_token'] !== 'string') return rejected(name, json)
    return good(NAME, apiUrl === PLATFORM_API ? name : `${name}, at the stand-in`)
  } catch (error) {
    return problem(NAME, {
      what: `${apiUrl} cannot be reached: ${errorMessage(error)}.`,
      why: 'The key and the secret could not be checked, and the service could not use them either.',
      fix: 'Check whether this machine can reach that address, or skip this check with --offline.',
    })
  }
}

function rejected(name: string, json: Record<string, unknown> | undefined): Finding {
  const code = String(json?.['error'] ?? 'no readable error')
  const meaning = platformErrorMeaning(code)
  const error = meaning ? `${code}: ${meaning}` : code
  const logId = json?.['log_id'] ? `, log id ${json['log_id']}` : ''
  return problem(NAME, {
    what: `The platform rejects AUTH_TIKTOK_ID with ${name} (${error}${logId}).`,
    why: 'Every sign-in would fail after the user has approved it.',
    fix: 'Copy the key and the secret again, both from the same page of the developer portal: a sandbox has its own pair.',
  })
}

/** During a rotation one valid secret is enough, because the service tries both. */
function downgradeIfOneSecretWorks(findings: Finding[]): Finding[] {
  if (!findings.some(({ status }) => status === 'good')) return findings
  return findings.map((finding) =>
    finding.diagnosis
      ? warning(finding.name, {
          ...finding.diagnosis,
          why: 'Sign-ins work with the other secret.',
          fix: 'At the end of a rotation, let AUTH_TIKTOK_SECRET be the secret that works, and delete AUTH_TIKTOK_SECRET_1.',
        })
      : finding,
  )
}
