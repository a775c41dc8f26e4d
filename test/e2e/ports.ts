import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** How many consecutive ports each part of the tests uses. */
const COUNTS = {
  services: 5,
  readme: 5,
  email: 5,
  passkeys: 5,
  revocations: 5,
  revocationApis: 2,
  start: 20,
  platform: 2,
  crash: 5,
  load: 5,
  spa: 1,
  authJs: 1,
  movingApp: 1,
  frontend: 1,
  crossSiteFrontend: 1,
  boundFrontend: 1,
  nodeClients: 10,
  servers: 3,
}

/** Runs at the same time use different blocks. The ports of `npm start` and of histories are lower. */
const FIRST_BLOCK = 23_000
const BLOCK_SIZE = 100
const BLOCK_COUNT = 90

/** The processes of a run inherit it. */
const VARIABLE = 'TEST_FIRST_PORT'

process.env[VARIABLE] ??= String(await claimBlock())
const first = Number(process.env[VARIABLE])

/** The first port of each part. */
export const PORTS = Object.fromEntries(
  Object.entries(COUNTS).map(([part], index, parts) => {
    const before = parts.slice(0, index).reduce((sum, [, count]) => sum + count, 1)
    return [part, first + before]
  }),
) as Readonly<Record<keyof typeof COUNTS, number>>

/** Returns the first port of a block, on which this process listens until it ends. */
async function claimBlock(): Promise<number> {
  const port = FIRST_BLOCK + BLOCK_SIZE * randomInt(BLOCK_COUNT)
  const isClaimed = await new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true))
      .unref()
    return server
  })
  return isClaimed ? port : claimBlock()
}
