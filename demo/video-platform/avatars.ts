import { Hono } from 'hono'
import { signatureOf } from './identifiers.ts'
import { hueOf } from './layout.tsx'
import type { StandInEnv } from './platform.ts'

const ONE_HOUR = 3600
const TWO_DAYS = 48 * ONE_HOUR

interface Avatar {
  origin: string
  now: number
  handle: string
  pixels: number
}

/** A signed address that stops working about two days later, on the hour. */
export async function avatarUrl({ origin, now, handle, pixels }: Avatar): Promise<string> {
  const expires = String(Math.floor((now + TWO_DAYS) / ONE_HOUR) * ONE_HOUR)
  const path = `/tos-avt/${handle}~c5_${pixels}x${pixels}.svg`
  const signature = await signatureOf(path + expires)
  return `${origin}${path}?x-expires=${expires}&x-signature=${encodeURIComponent(signature)}`
}

/** The picture itself: a letter in the person's colour. */
export const avatars = new Hono<StandInEnv>().get('/tos-avt/:file', async (c) => {
  const { pathname, searchParams } = new URL(c.req.url)
  const expires = searchParams.get('x-expires') ?? ''
  const isSigned = searchParams.get('x-signature') === (await signatureOf(pathname + expires))
  if (!isSigned || Number(expires) <= c.get('platform').now()) return c.text('Forbidden', 403)

  const [, handle = '', pixels = ''] = /^([a-z0-9-]+)~c5_(\d+)x/.exec(c.req.param('file')) ?? []
  return c.body(draw(handle, pixels), 200, { 'Content-Type': 'image/svg+xml' })
})

function draw(handle: string, pixels: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">` +
    `<rect width="100" height="100" fill="hsl(${hueOf(handle)} 45% 30%)"/>` +
    '<text x="50" y="50" dy=".35em" text-anchor="middle" font-family="sans-serif" font-size="48" fill="#fff">' +
    `${handle.slice(0, 1).toUpperCase()}</text></svg>`
  )
}
