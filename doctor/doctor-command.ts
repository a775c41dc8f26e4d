import { parseArgs } from 'node:util'
import { examineConfiguration } from './configuration/examine.ts'
import { examineDeployment } from './deployment/examine.ts'
import { messageOf } from './message-of.ts'
import { explainPages } from './platform-page.ts'
import { isGood, report, reportAsJson } from './report.ts'
import { UsageError } from './usage-error.ts'

const HELP = `Usage: npx vestibule doctor [url]
       npx vestibule doctor --page [word]

Without an address, checks the configuration here as \`wrangler dev\` would read it: wrangler.toml
and .dev.vars. With the address of a running service, checks what it answers; nothing is changed.

  --offline              asks the platform nothing
  --config FILE          another wrangler.toml; .dev.vars is looked for beside it
  --secrets-file FILE    the secrets that you deploy with, in place of .dev.vars
  --page [word]          explains the platform's own error pages: the word that the page shows, or
                         its whole address; without a word, all of them
  --json                 one JSON object, for programs
  --help                 shows this

Ends with 0 if all is good, 1 if there are problems, 2 if it was not understood.
`

/** Checks a configuration or a deployment, or explains a page of the platform's. */
export async function doctor(flags: string[]): Promise<number> {
  const { values, positionals } = readFlags(flags)
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const [subject, ...others] = positionals
  if (others.length > 0) throw new UsageError(`What is ${others[0]}?`, { help: HELP })
  if (values.page) return explainPages(subject, values.json)

  const findings = subject
    ? await examineDeployment(originOf(subject), values)
    : await examineConfiguration(values)
  process.stdout.write(values.json ? reportAsJson(subject, findings) : report(findings))
  return isGood(findings) ? 0 : 1
}

function readFlags(flags: string[]) {
  try {
    return parseArgs({
      args: flags,
      allowPositionals: true,
      options: {
        offline: { type: 'boolean', default: false },
        config: { type: 'string' },
        'secrets-file': { type: 'string' },
        page: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(messageOf(error), { help: HELP, cause: error })
  }
}

function originOf(address: string): string {
  const url = URL.parse(address)
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) {
    throw new UsageError(
      `${address} is not the address of a service, such as https://login.example.com.`,
      { help: HELP },
    )
  }
  return url.origin
}
