import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../../interop/server-process.ts'
import { programs } from '../documented-programs.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The API that the tokens of the client `interop-tokens` are for. */
export const API = 'https://interop-api.example'

interface ApiOptions {
  port: number
  /** The login service. */
  issuer: string
  /** How often it reads revocations, in seconds, if not as often as the documentation's. */
  interval?: number
}

/** A folder with APIs of docs/relying-apps.md, as a reader would copy them. */
export class DocumentedApis {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vestibule-verify-'))
  readonly #servers: { stop: () => Promise<void> }[] = []

  constructor() {
    writeFileSync(join(this.#folder, 'package.json'), '{ "type": "module" }')
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  /** Writes a program with the addresses of the tests, and returns its path. */
  write(name: string, { port, issuer, interval }: ApiOptions): string {
    const folder = join(this.#folder, String(port))
    mkdirSync(folder, { recursive: true })
    for (const file of ['auth.ts', `${name}.ts`]) {
      const text = (programs.get(file) ?? '')
        .replace('https://login.example.com', issuer)
        .replace("'https://api.example'", `'${API}'${interval ? `, interval: ${interval}` : ''}`)
        .replace("'vestibule-auth/verify'", JSON.stringify(join(ROOT, 'src/verify.ts')))
        .replace('8080', String(port))
      writeFileSync(join(folder, file), text)
    }
    return join(folder, `${name}.ts`)
  }

  /** Starts a program as a process of its own. */
  async start(name: string, options: ApiOptions): Promise<void> {
    const command = [process.execPath, this.write(name, options)] as const
    const server = await startServer(command, options.port, {
      folder: this.#folder,
      env: {},
      log: join(this.#folder, `${name}.log`),
      timeout: 30_000,
    })
    this.stopLater(server)
  }

  stopLater(server: { stop: () => Promise<void> }): void {
    this.#servers.push(server)
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map(({ stop }) => stop()))
    rmSync(this.#folder, { recursive: true })
  }
}
