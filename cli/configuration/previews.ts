import type { Config } from '../../src/core/config/config.ts'
import { wildcardOf } from '../../src/core/registration-schemas/wildcard.ts'
import {
  previewParent,
  previewProblem,
  sharedHostProblem,
} from '../../src/features/previews/wildcard-patterns.ts'
import { type Finding, problem, skipped, warning } from '../finding.ts'
import { readPublicSuffixes } from '../public-suffixes.ts'

const NAME = 'previews'

/** Checks the wildcards of clients, and says what they expose. */
export async function checkPreviews(config: Config, offline: boolean): Promise<Finding[]> {
  const previews = findPreviews(config)
  if (previews.length === 0) return []
  const suffixes = offline ? undefined : await readPublicSuffixes()
  const reason = offline
    ? 'not compared with the Public Suffix List because of --offline'
    : 'the Public Suffix List cannot be read'
  return [
    ...(suffixes ? [] : [skipped(NAME, reason)]),
    ...previews.map(({ id, preview, parent }) =>
      suffixes?.has(parent)
        ? problem(NAME, {
            what: `The client ${id}: ${preview} ${sharedHostProblem(parent)}`,
            why: 'Anyone can have a page there that signs your users in.',
            fix: 'Use a domain of your own for previews, such as *.preview.example.com.',
          })
        : warning(NAME, {
            what: `The client ${id} accepts ${preview}: every host below ${parent} gets codes of your users.`,
            why: `Whoever can deploy below ${parent}, or take over a name there, can sign in there as a user who opens their page, without a question.`,
            fix: 'Nothing, if only people whom you trust can. Otherwise remove the wildcard, or register a client without first_party for previews that users never see.',
          }),
    ),
  ]
}

/** The wildcards that have an effect. Others are reported with the settings. */
function findPreviews({ clients, features }: Config) {
  if (!features.some(({ wildcards }) => wildcards)) return []
  return clients.flatMap((client) => {
    const preview = wildcardOf(client) ?? ''
    const parent = previewParent(preview)
    if (parent === undefined || previewProblem(preview)) return []
    return [{ id: client.client_id, preview, parent }]
  })
}
