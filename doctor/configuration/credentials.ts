import { isLoopback } from '../../src/config/loopback.ts'
import { type Finding, good, problem, skipped } from '../finding.ts'
import { messageOf } from '../message-of.ts'
import { PLATFORM_WORDS } from '../platform-words.ts'
import { visit } from '../visit.ts'

const PLATFORM = 'https://open.tiktokapis.com'

/**
 * Asks the platform for a token that is of no use, which tells whether key and secret belong together. Each secret
 * is tried: while one is being replaced there are two.
 */
export async function checkCredentials(
  settings: Record<string, unknown>,
  offline: boolean,
): Promise<Finding[]> {
  const { AUTH_TIKTOK_ID: key, AUTH_TIKTOK_API_URL: standIn } = settings
  if (typeof key !== 'string') return []
  if (offline) return [skipped('credentials', 'not asked, with --offline')]
  const platform = typeof standIn === 'string' ? standIn : PLATFORM
  // A secret is shown to the platform, or to this machine.
  if (platform !== PLATFORM && !isLoopback(platform))
    return [skipped('credentials', 'not shown to an address that is not the platform')]
  const secrets = ['AUTH_TIKTOK_SECRET', 'AUTH_TIKTOK_SECRET_1']
    .map((name) => ({ name, secret: settings[name] }))
    .filter((entry): entry is Entry => typeof entry.secret === 'string' && entry.secret !== '')
  return forgive(await Promise.all(secrets.map((entry) => ask(platform, key, entry))))
}

/** While a secret is being replaced, one of two is good, and the service finds out which. */
function forgive(findings: readonly Finding[]): Finding[] {
  const isEnough = findings.some(({ status }) => status === 'good')
  return findings.map((finding) => ({ ...finding, ...(isEnough && soften(finding)) }))
}

function soften({ status }: Finding): Partial<Finding> {
  return status === 'problem' ? { status: 'warning' } : {}
}

interface Entry {
  name: string
  secret: string
}

async function ask(platform: string, key: string, { name, secret }: Entry): Promise<Finding> {
  const body = new URLSearchParams({
    client_key: key,
    client_secret: secret,
    grant_type: 'client_credentials',
  })
  try {
    const { json } = await visit(`${platform}/v2/oauth/token/`, {
      method: 'POST',
      // Bare: the platform refuses a charset behind it.
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    })
    return typeof json?.['access_token'] === 'string'
      ? good('credentials', platform === PLATFORM ? name : `${name}, at the stand-in`)
      : refused(name, json)
  } catch (error) {
    return problem('credentials', {
      what: `${platform} does not answer: ${messageOf(error)}.`,
      why: 'So it cannot be told whether key and secret belong together, and neither could the service.',
      fix: 'See whether this machine reaches it, or leave it out with --offline.',
    })
  }
}

function refused(name: string, json: Record<string, unknown> | undefined): Finding {
  const word = String(json?.['error'] ?? 'nothing that can be understood')
  const meaning = Object.hasOwn(PLATFORM_WORDS, word) ? `: ${PLATFORM_WORDS[word]}` : ''
  const logId = json?.['log_id'] ? `, log id ${json['log_id']}` : ''
  return problem('credentials', {
    what: `The platform refuses AUTH_TIKTOK_ID with ${name} (${word}${meaning}${logId}).`,
    why: 'Every sign-in would fail after the person has allowed it.',
    fix: 'Copy key and secret anew, both from the same page of the portal: a sandbox has a pair of its own.',
  })
}
