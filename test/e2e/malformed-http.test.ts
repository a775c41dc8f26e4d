import { connect } from 'node:net'
import { describe, expect, inject, it } from 'vitest'

const { login } = inject('services')
const { port } = new URL(login)

const HEAD = `POST /api/auth/signout HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${login}\r\nContent-Type: application/x-www-form-urlencoded\r\n`

const CHUNK = `4000\r\n${'a'.repeat(0x4000)}\r\n`

/** After this time a connection without a response counts as hanging. */
const TIMEOUT = 3000 // milliseconds

describe('a malformed HTTP request', () => {
  it.each([
    [
      'a body of 1 MB in chunks',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${CHUNK.repeat(64)}0\r\n\r\n`,
      413,
    ],
    ['chunks without an end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n${CHUNK.repeat(2)}`, 413],
    [
      'a Content-Length of 1 MB',
      `${HEAD}Content-Length: 1048576\r\n\r\n${'a'.repeat(1_048_576)}`,
      413,
    ],
    [
      'a chunk size that is not a number',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\na=b\r\n`,
      400,
    ],
  ])('[R5] with %s is rejected, and the service keeps running', async (_name, request, status) => {
    const [response = ''] = await send(request)

    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(await isRunning()).toBe(true)
  })

  it('[R5] with a body shorter than its Content-Length is not carried out', async () => {
    const responses = await send(`${HEAD}Content-Length: 100\r\n\r\na=b`, 'then disconnect')

    expect(responses.join('')).not.toMatch(/^HTTP\/1.1 [235]/)
    expect(await isRunning()).toBe(true)
  })
})

/** Returns what the server sends until it responds, closes the connection, or the time is up. */
async function send(request: string, end?: 'then disconnect'): Promise<string[]> {
  return new Promise((resolve) => {
    const received: string[] = []
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    const finish = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(TIMEOUT, finish)
    // A server that has rejected a request may stop reading; writing the rest then fails.
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

async function isRunning(): Promise<boolean> {
  return (await fetch(`${login}/healthz`)).ok
}
