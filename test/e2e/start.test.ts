import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PORTS } from './ports.ts'
import { startScript } from './start-script.ts'

/** Not used by the services of the other tests. */
const PORT = PORTS.start

describe('npm start', () => {
  it('starts five services, prints their addresses, and stops on Ctrl-C', async () => {
    const demo = start('--port', String(PORT))
    await demo.waitForOutput('Ready in')

    expect(demo.output()).toMatch(
      new RegExp(
        [
          `^  login      http://localhost:${PORT} {11}the login service`,
          `  console    http://localhost:${PORT}/admin {5}its console: .*`,
          `  platform   http://localhost:${PORT + 1} {11}the stand-in .*`,
          `  mailbox    http://localhost:${PORT + 1}/mailbox   the emails .*`,
          `  storefront http://localhost:${PORT + 2} {11}a demo shop .*`,
          `  orders     http://localhost:${PORT + 3} {11}a demo API .*`,
          `  mcp        http://localhost:${PORT + 3}/mcp {7}the same API for agents.*`,
          `  gallery    http://localhost:${PORT + 4} {11}a second app.*`,
          '  Ready in \\d+ s. Open the storefront and press "Sign in". Ctrl-C stops everything.\n$',
        ].join('\n'),
      ),
    )
    expect((await fetch(`http://localhost:${PORT + 2}`)).status).toBe(200)

    demo.process.kill('SIGINT')
    expect(await demo.ended).toBe(0)
    for (const offset of [0, 1, 2, 3, 4]) {
      await expect(fetch(`http://localhost:${PORT + offset}`)).rejects.toThrow()
    }
  })

  it('reports a port that is in use, and how to choose others', async () => {
    const server = createServer().listen(PORT + 12, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())

    const demo = start('--port', String(PORT + 10))
    expect(await demo.ended).toBe(1)
    expect(demo.output()).toContain(`Port ${PORT + 12} is already in use.`)
    expect(demo.output()).toContain('npm start -- --port 9000')
  })

  it.each([[['--prot', '1']], [['--port', 'x']], [['--port', '65535']], [['extra']]])(
    'prints its usage for the invalid arguments %j',
    async (flags) => {
      const demo = start(...flags)

      expect(await demo.ended).toBe(2)
      expect(demo.output()).toContain('Usage: npm start')
    },
  )
})

function start(...flags: string[]) {
  return startScript('demo/start.ts', ...flags)
}
