import { readConfig } from '../../src/config/config.ts'
import { ConfigurationError } from '../../src/errors.ts'
import { type Finding, good, problem } from '../finding.ts'

const NAME = 'settings'

/** What the service itself would say: the same checks, so the same problems. */
export function checkSettings(settings: Record<string, unknown>): Finding[] {
  try {
    const { clients, providers } = readConfig({ ...settings })
    return [
      good(NAME),
      good('clients', String(clients.length)),
      good('providers', [...providers.keys()].join(', ')),
    ]
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map((what) => problem(NAME, { what, why: WHY, fix: fixFor(what) }))
  }
}

const WHY = 'The service answers nothing but an error until this is right.'

function fixFor(what: string): string {
  if (what.includes('is not a setting of this service'))
    return 'Correct its name, or take it out: docs/operations.md lists all names.'
  if (/^AUTH_\S*(SECRET|ID)\S* is missing/.test(what) || what.startsWith('No provider'))
    return 'Put secrets into .dev.vars, or name the file that you deploy with: --secrets-file FILE.'
  return 'Correct it where it stands: in wrangler.toml, in .dev.vars, or among the secrets.'
}
