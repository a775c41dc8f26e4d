import type { PublishedFile } from './published-file.ts'

/** Longer than the service may wait, in milliseconds. The timers keep no test run alive. */
const TOO_LONG = 20_000

/**
 * The servers of clients that publish something about themselves. PUT publishes a response, and
 * POST returns how often it was fetched.
 */
export function createPublishedFiles(): (request: Request) => Promise<Response> {
  const files = new Map<string, PublishedFile>()
  const fetches = new Map<string, number>()
  return async (request) => {
    const { method, url } = request
    if (method === 'POST') return Response.json(fetches.get(url) ?? 0)
    if (method === 'PUT') {
      files.set(url, await request.json())
      return new Response()
    }
    fetches.set(url, (fetches.get(url) ?? 0) + 1)
    const file = files.get(url)
    return file ? respond(file) : new Response(null, { status: 404 })
  }
}

async function respond({ status = 200, headers, body = '', fault }: PublishedFile) {
  const type = { 'Content-Type': 'application/json' }
  if (fault === 'hang') await new Promise((resolve) => setTimeout(resolve, TOO_LONG).unref())
  const hasBody = status === 200
  return new Response(fault === 'endless' ? endlessStream() : hasBody ? body : null, {
    status,
    headers: { ...type, ...headers },
  })
}

function endlessStream(): ReadableStream<Uint8Array> {
  const end = Date.now() + TOO_LONG
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 200).unref())
      if (Date.now() < end) controller.enqueue(new TextEncoder().encode(' '))
      else controller.close()
    },
  })
}
