import { parseJsonObject } from '../src/foundation/values/json.ts'
import { isLoopback } from '../src/foundation/values/loopback.ts'
import { readDeployment } from './admin/storage.ts'
import { defineCommand } from './command.ts'
import { CommandError } from './command-error.ts'
import { errorMessage } from './error-message.ts'

/** Where `wrangler dev` starts the handler of Cron Triggers. */
const PATH = '/cdn-cgi/local/scheduled?format=json&cron=*+*+*+*+*'

/** Longer than a run takes. */
const TIMEOUT = 60_000 // milliseconds

/** Starts what a Cron Trigger starts every minute in a deployment. */
export const schedule = defineCommand({
  argument: '[url]',
  summary: 'Run the schedule of a local service once, because no Cron Trigger runs in development',
  details: `Sends events to webhooks, and runs the jobs of features, as the Cron Trigger of a deployment does every
minute. Events of the last minute are sent by the next run. Without a URL, it is the service of
\`npm run dev\` in this folder.`,
  options: {
    env: { type: 'string', value: 'NAME', help: 'an environment of wrangler.toml' },
    config: { type: 'string', value: 'FILE', help: 'read this file instead of wrangler.toml' },
  },
  async run({ values, argument, rejectUsage }) {
    const url = argument || (await readDeployment({ ...values, local: true })).origin
    if (!isLoopback(url)) {
      rejectUsage(`${url} is not on loopback: its Cron Trigger runs every minute.`)
    }
    const { origin } = new URL(url)
    const signal = AbortSignal.timeout(TIMEOUT)
    const response = await fetch(origin + PATH, { signal, redirect: 'manual' }).catch((cause) => {
      throw new CommandError(
        `${origin} does not respond: ${errorMessage(cause)}. Is \`npm run dev\` running?`,
        { cause },
      )
    })
    if (parseJsonObject(await response.text())?.['outcome'] !== 'ok') {
      throw new CommandError(
        `The schedule did not run: ${origin} responds with status ${response.status}. Only \`npm run dev\` can start it; if it is running, its output has the reason.`,
      )
    }
    process.stdout.write(`The schedule has run at ${origin}.\n`)
  },
})
