import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { Hono } from 'hono'
import { bundle } from '../../src/libraries/testing/bundle.ts'

/** Loads the app that shows the states. It has JSX, which Node cannot run. */
export async function loadApp(): Promise<Hono> {
  const script = await bundle(fileURLToPath(new URL('./app.tsx', import.meta.url)))
  await esbuild.stop()
  const { app } = await import(`data:text/javascript,${encodeURIComponent(script)}`)
  return app
}
