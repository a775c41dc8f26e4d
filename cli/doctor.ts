import { parseArguments, singlePositional, UsageError } from './command-line.ts'
import { checkConfiguration } from './configuration/check-configuration.ts'
import { checkDeployment } from './deployment/check-deployment.ts'
import { explainErrorPages } from './platform-error-pages.ts'
import { formatReport, formatReportAsJson, hasProblems } from './report.ts'

const HELP = `Usage: npx vestibule-auth doctor [url]
       npx vestibule-auth doctor --page [error]

Without a URL, checks the configuration as \`wrangler dev\` would read it, from wrangler.toml and
.dev.vars, and the options in the entry file. With the URL of a running service, checks its
responses from the outside; it starts a sign-in but does not complete it, and changes nothing.

Options:
  --offline            do not contact the platform
  --config FILE        read this file instead of wrangler.toml, and .dev.vars from its folder
  --env NAME           check this environment of wrangler.toml, with .dev.vars.NAME if it exists
  --secrets-file FILE  read the secrets from the file you deploy with instead of .dev.vars
  --page [error]       explain an error page of the platform, given the error it shows (such as
                       redirect_uri) or its full URL; without an argument, explain all of them
  --json               print one JSON object
  -h, --help           print this help

Exit codes: 0 without problems (warnings are allowed), 1 with problems, 2 for invalid arguments.
`

/** Checks the configuration or a deployment, or explains an error page of the platform. */
export async function runDoctor(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(
    {
      args,
      allowPositionals: true,
      options: {
        offline: { type: 'boolean', default: false },
        config: { type: 'string' },
        env: { type: 'string' },
        'secrets-file': { type: 'string' },
        page: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const subject = singlePositional(positionals, HELP)
  if (values.page) return explainErrorPages(subject, values.json)

  const findings = subject
    ? await checkDeployment(parseOrigin(subject), values)
    : await checkConfiguration(values)
  process.stdout.write(values.json ? formatReportAsJson(subject, findings) : formatReport(findings))
  return hasProblems(findings) ? 1 : 0
}

function parseOrigin(address: string): string {
  const url = URL.parse(address)
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) {
    throw new UsageError(
      `${address} is not the URL of a service. Use its origin without a path, such as https://login.example.com.`,
      { help: HELP },
    )
  }
  return url.origin
}
