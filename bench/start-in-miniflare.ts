import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare'
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler'
import { bundle } from '../src/libraries/testing/bundle.ts'
import { ROOT, readMigrations, readServiceConfig, SERVICE_VARIABLES } from './environment.ts'
import { upstreamResponse } from './upstream.ts'

/**
 * Starts a worker with the configuration of the service. Miniflare has real D1 and Durable Object
 * storage, both of which count rows as the platform does.
 */
export async function startInMiniflare(main: string): Promise<Miniflare> {
  const config = readServiceConfig()
  const contents = await bundle(join(ROOT, main))
  await esbuild.stop()
  const { workerOptions } = unstable_getMiniflareWorkerOptions({ ...config, vars: {}, secrets: {} })
  const name = 'service'
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          ...workerOptions,
          name,
          bindings: SERVICE_VARIABLES,
          modules: [{ type: 'ESModule', path: 'index.js', contents }],
          modulesRoot: '/',
          outboundService: respondAsUpstream,
        },
      ],
      log: new NoOpLog(),
      handleStructuredLogs: () => {},
      // Otherwise Miniflare looks up `request.cf` on the internet.
      cf: false,
    }),
  )
  const directory = await runtime.getD1Database('DIRECTORY', name)
  const statements = unstable_splitSqlQuery(await readMigrations())
  await directory.batch(statements.map((statement) => directory.prepare(statement)))
  return runtime
}

async function respondAsUpstream(request: Request): Promise<Response> {
  const { method, headers } = request
  const authorization = headers.get('Authorization') ?? ''
  return Response.json(upstreamResponse({ method, authorization, body: await request.text() }))
}
