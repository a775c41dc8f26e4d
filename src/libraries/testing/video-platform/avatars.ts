import { Hono } from 'hono'
import { signAvatar } from './identifiers.ts'
import { avatarHue } from './layout.tsx'
import type { StandInEnv } from './platform.ts'

const HOUR = 3600 // seconds
const AVATAR_LIFETIME = 48 * HOUR

interface Avatar {
  origin: string
  now: number
  handle: string
  pixels: number
}

/** Creates a signed URL that expires about two days later, on the hour. */
export async function createAvatarUrl({ origin, now, handle, pixels }: Avatar): Promise<string> {
  const expires = String(Math.floor((now + AVATAR_LIFETIME) / HOUR) * HOUR)
  const path = `/tos-avt/${handle}~c5_${pixels}x${pixels}.svg`
  const signature = await signAvatar(path + expires)
  return `${origin}${path}?x-expires=${expires}&x-signature=${encodeURIComponent(signature)}`
}

/** Serves the picture: the first letter of the handle on a coloured square. */
export const avatars = new Hono<StandInEnv>().get('/tos-avt/:file', async (c) => {
  const { pathname, searchParams } = new URL(c.req.url)
  const expires = searchParams.get('x-expires') ?? ''
  const isSigned = searchParams.get('x-signature') === (await signAvatar(pathname + expires))
  if (!isSigned || Number(expires) <= c.get('platform').now()) return c.text('Forbidden', 403)

  const [, handle = '', pixels = ''] = /^([a-z0-9-]+)~c5_(\d+)x/.exec(c.req.param('file')) ?? []
  return c.body(drawAvatar(handle, pixels), 200, { 'Content-Type': 'image/svg+xml' })
})

function drawAvatar(handle: string, pixels: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">` +
    `<rect width="100" height="100" fill="hsl(${avatarHue(handle)} 45% 30%)"/>` +
    '<text x="50" y="50" dy=".35em" text-anchor="middle" font-family="sans-serif" font-size="48" fill="#fff">' +
    `${handle.slice(0, 1).toUpperCase()}</text></svg>`
  )
}
