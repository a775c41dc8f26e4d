import type { App } from './apps.ts'

/** What whoever starts the stand-in by itself needs to know; its keys open nothing but itself. */
export function describeStandIn(origin: string, apps: readonly App[]): string {
  const [first] = apps
  return `  platform   ${origin}   the stand-in for the video platform: no account needed

  Pages
    ${origin}/                personas to log in as
    ${origin}/settings/apps   connected apps, and a button to remove each
    ${origin}/v2/auth/phone   a phone that scans QR codes

  Apps (keys of the stand-in, of no use elsewhere)
${apps.map(describeApp).join('')}
  A login service uses it with these settings
    AUTH_TIKTOK_ID=${first?.clientKey}
    AUTH_TIKTOK_SECRET=${first?.clientSecret}
    AUTH_TIKTOK_WEB_URL=${origin}
    AUTH_TIKTOK_API_URL=${origin}

  Controls (JSON)
    POST /__stand-in/reset      back to the first moment
    POST /__stand-in/apps       adds or changes an app
    POST /__stand-in/users      adds or changes a persona
    POST /__stand-in/clock      {"advance": seconds}
    POST /__stand-in/switches   chooses what is not documented
    POST /__stand-in/faults     spoils the next answers of a path
    POST /__stand-in/events     {"user": "mia", "reason": "disconnected"} and what else apps are told
    POST /__stand-in/phone      {"link": "aweme://…", "user": "mia", "grant": "user.info.basic"}
    GET  /__stand-in/events     what apps were told, attempt by attempt
    GET  /__stand-in/log        requests received, secrets masked
    GET  /__stand-in/state      the clock, counts and switches

  Ready. Ctrl-C stops it.
`
}

function describeApp({ name, kind, status, clientKey, clientSecret, webhookUrl }: App): string {
  const nature = kind === 'sandbox' ? kind : `${kind}, ${status}`
  const told = webhookUrl === undefined ? '' : `      told at  ${webhookUrl}\n`
  return `    ${name}: ${nature}
      key      ${clientKey}
      secret   ${clientSecret}
${told}`
}
