import { defineCommand } from './command.ts'
import { checkConfiguration } from './configuration/check-configuration.ts'
import { checkDeployment } from './deployment/check-deployment.ts'
import { explainErrorPages } from './platform-error-pages.ts'
import { formatReport, formatReportAsJson, hasProblems } from './report.ts'

/** Checks the configuration or a deployment, or explains an error page of the platform. */
export const doctor = defineCommand({
  argument: '[url]',
  alternative: '--page [error]',
  summary: 'Check the configuration, or a running deployment',
  details: `Without a URL, checks the configuration as \`wrangler dev\` would read it, from wrangler.toml and
.dev.vars, and the options in the entry file. With the URL of a running service, checks its
responses from the outside; it starts a sign-in but does not complete it, and changes nothing.`,
  options: {
    offline: { type: 'boolean', help: 'do not contact the platform' },
    config: {
      type: 'string',
      value: 'FILE',
      help: 'read this file instead of wrangler.toml, and .dev.vars from its folder',
    },
    env: {
      type: 'string',
      value: 'NAME',
      help: 'check this environment of wrangler.toml, with .dev.vars.NAME if it exists',
    },
    'secrets-file': {
      type: 'string',
      value: 'FILE',
      help: 'read the secrets from the file you deploy with instead of .dev.vars',
    },
    page: {
      type: 'boolean',
      help: 'explain an error page of the platform, given the error it shows (such as\nredirect_uri) or its full URL; without an argument, explain all of them',
    },
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  exitCodes: '0 without problems (warnings are allowed), 1 with problems',
  async run({ values, argument, rejectUsage }) {
    const { offline = false, page, json = false } = values
    const subject = argument || undefined
    if (page) return explainErrorPages(subject, json)
    const findings = subject
      ? await checkDeployment(parseOrigin(subject, rejectUsage), { offline })
      : await checkConfiguration({ ...values, offline })
    process.stdout.write(json ? formatReportAsJson(subject, findings) : formatReport(findings))
    return hasProblems(findings) ? 1 : 0
  },
})

function parseOrigin(address: string, rejectUsage: (message: string) => never): string {
  const url = URL.parse(address)
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) {
    return rejectUsage(
      `${address} is not the URL of a service. Use its origin without a path, such as https://login.example.com.`,
    )
  }
  return url.origin
}
