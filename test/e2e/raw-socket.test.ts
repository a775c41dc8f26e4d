import { connect } from 'node:net'
import { describe, expect, inject, it } from 'vitest'

const { login } = inject('services')
const { port } = new URL(login)

const HEAD = `POST /api/auth/signout HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${login}\r\nContent-Type: application/x-www-form-urlencoded\r\n`

const CHUNK = `4000\r\n${'a'.repeat(0x4000)}\r\n`

/** Milliseconds until a connection without an answer counts as hanging. */
const PATIENCE = 3000

describe('a client without manners', () => {
  it.each([
    [
      'a body of 1 MB in chunks',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${CHUNK.repeat(64)}0\r\n\r\n`,
      413,
    ],
    ['chunks that never end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n${CHUNK.repeat(2)}`, 413],
    [
      'a Content-Length of 1 MB',
      `${HEAD}Content-Length: 1048576\r\n\r\n${'a'.repeat(1_048_576)}`,
      413,
    ],
    [
      'a chunk size that is no number',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\na=b\r\n`,
      400,
    ],
  ])('[R5] gets a clean refusal for %s', async (_what, request, status) => {
    const [answer = ''] = await send(request)

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(await isAlive()).toBe(true)
  })

  it('[R5] is not believed about a body that is shorter than promised', async () => {
    const answers = await send(`${HEAD}Content-Length: 100\r\n\r\na=b`, 'then hangs up')

    expect(answers.join('')).not.toMatch(/^HTTP\/1.1 [235]/)
    expect(await isAlive()).toBe(true)
  })
})

/** What comes back until the server closes, or has answered, or seems to wait for more. */
async function send(request: string, end?: 'then hangs up'): Promise<string[]> {
  return new Promise((resolve) => {
    const received: string[] = []
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    const finish = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(PATIENCE, finish)
    // A server that has refused need not read on: what is still being written then fails.
    socket.on('error', finish)
    socket.on('close', finish)
    socket.on('data', (data) => {
      received.push(data.toString('latin1'))
      if (!end) finish()
    })
    if (end) socket.end(request)
    else socket.write(request)
  })
}

async function isAlive(): Promise<boolean> {
  return (await fetch(`${login}/healthz`)).ok
}
