import type { App } from '../src/libraries/testing/video-platform/apps.ts'
import { defineCommand } from './command.ts'
import { CommandError } from './command-error.ts'
import { errorMessage } from './error-message.ts'
import { parsePort } from './parse-port.ts'
import { describeStandIn } from './platform-message.ts'
import { stopOnSignals, stopWithParent } from './stop-process.ts'

const DEFAULT_PORT = 8788

/** Starts the stand-in, which runs until a signal ends it. */
export const platform = defineCommand({
  summary: 'Start a stand-in for TikTok on this machine',
  details: `To be used with a login service of your own. No account and no internet connection are needed. It is
reachable from this machine only. All data is lost when it stops.`,
  options: {
    port: {
      type: 'string',
      value: 'N',
      help: `the port to listen on, by default ${DEFAULT_PORT}`,
    },
    webhook: {
      type: 'string',
      value: 'URL',
      help: 'where the sandbox app receives webhooks, by default the login service at the port\nbefore --port',
    },
  },
  async run({ values, rejectUsage }) {
    const port = readPort(values.port, rejectUsage)
    // Imported on demand, because other commands do not need it.
    const { appsWithWebhook } = await import('../src/libraries/testing/video-platform/apps.ts')
    const webhook = values.webhook ?? `http://localhost:${port - 1}/api/auth/webhook/tiktok`
    const apps = readApps(() => appsWithWebhook(webhook), rejectUsage)
    stopOnSignals(() => process.exit())
    stopWithParent(() => process.exit())
    await start(port, apps)
    process.stdout.write(describeStandIn(`http://localhost:${port}`, apps))
  },
})

function readPort(value: string | undefined, rejectUsage: (message: string) => never): number {
  try {
    return value === undefined ? DEFAULT_PORT : parsePort(value)
  } catch (error) {
    return rejectUsage(errorMessage(error))
  }
}

function readApps(create: () => App[], rejectUsage: (message: string) => never): App[] {
  try {
    return create()
  } catch {
    return rejectUsage('--webhook must be an https or a loopback URL.')
  }
}

async function start(port: number, apps: readonly App[]): Promise<void> {
  const [{ createStandIn }, { serve }] = await Promise.all([
    import('../src/libraries/testing/video-platform/stand-in.ts'),
    import('../src/libraries/testing/serve.ts'),
  ])
  const standIn = createStandIn({ apps })
  try {
    await serve((request) => standIn(request), port)
  } catch (cause) {
    const isPortTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    const message = isPortTaken
      ? `Port ${port} is already in use. Stop the program that uses it, or choose another port: npx vestibule-auth platform --port 9000`
      : `The stand-in could not start. ${errorMessage(cause)}`
    throw new CommandError(message, { cause })
  }
}
