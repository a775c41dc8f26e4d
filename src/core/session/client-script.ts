import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { AppEnv } from '../http/app-env.ts'
import { optionalText, validateQuery } from '../http/validate.ts'
import script from './client-script.txt'

/** After an upgrade, pages that do not name a version get the new script within minutes. */
const CACHE = 'public, max-age=300'
/** A page that names a version changes the URL when it wants another one. */
const CACHE_OF_VERSION = 'public, max-age=31536000, immutable'

/** `/client.js`: the library for frontends and its element, for pages without a build. */
export const clientScript = new Hono<AppEnv>().get(
  '/client.js',
  validateQuery(z.object({ v: optionalText })),
  (c) =>
    c.body(script, 200, {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': c.req.valid('query').v ? CACHE_OF_VERSION : CACHE,
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }),
)
