import { isLoopback } from '../src/foundation/values/loopback.ts'
import type { App } from '../src/libraries/testing/video-platform/apps.ts'

/** What `npx vestibule-auth platform` prints. The keys are of no use anywhere else. */
export function describeStandIn(origin: string, apps: readonly App[]): string {
  const [first] = apps
  return `  platform   ${origin}   the stand-in for the video platform: no account needed

  Pages
    ${origin}/                the personas you can log in as
    ${origin}/settings/apps   the connected apps, each with a button to remove it
    ${origin}/v2/auth/phone   a phone that scans QR codes
    ${origin}/mailbox         the messages that were posted to /mailbox/messages

  Apps (their keys work with the stand-in only)
${apps.map(describeApp).join('')}
  Run this in the folder of a login service that is to use the stand-in
    npx vestibule-auth setup --stand-in ${origin}${addressOption(first)}

  Control API (JSON)
    POST /__stand-in/reset      restores the initial state
    POST /__stand-in/apps       adds or changes an app
    POST /__stand-in/users      adds or changes a persona
    POST /__stand-in/clock      {"advance": seconds}
    POST /__stand-in/switches   selects between undocumented behaviours
    POST /__stand-in/faults     makes the next responses of a path faulty
    POST /__stand-in/events     {"user": "mia", "reason": "disconnected"} or another webhook event
    POST /__stand-in/phone      {"link": "aweme://…", "user": "mia", "grant": "user.info.basic"}
    GET  /__stand-in/events     the webhooks sent, with every attempt
    GET  /__stand-in/log        the requests received, secrets masked
    GET  /__stand-in/state      the clock, counts and switches

  Ready. Ctrl-C stops it.
`
}

/** The login service that receives the webhooks, if it is on this machine. */
function addressOption(app: App | undefined): string {
  const url = app?.webhookUrl
  return url === undefined || !isLoopback(url) ? '' : ` --url ${new URL(url).origin}`
}

function describeApp({ name, kind, status, clientKey, clientSecret, webhookUrl }: App): string {
  const type = kind === 'sandbox' ? kind : `${kind}, ${status}`
  const webhook = webhookUrl === undefined ? '' : `      webhook  ${webhookUrl}\n`
  return `    ${name}: ${type}
      key      ${clientKey}
      secret   ${clientSecret}
${webhook}`
}
