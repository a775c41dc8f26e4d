import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What the script `lint` needs, which is part of `npm run check`. */
const COPIED = ['src', 'lint', 'biome.json', 'package.json', '.gitignore', '.npmrc']

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'vestibule-lint-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})

afterAll(() => {
  rmSync(copy, { recursive: true })
})

/** Runs the linter in the copy with one more file. */
async function lintWith(
  path: string,
  lines: string[],
): Promise<{ status: number; output: string }> {
  const file = join(copy, path)
  writeFileSync(file, `${lines.join('\n')}\n`)
  try {
    return await new Promise((resolve) => {
      execFile('npm', ['run', 'lint'], { cwd: copy }, (error, stdout, stderr) => {
        resolve({ status: Number(error?.code ?? 0), output: stdout + stderr })
      })
    })
  } finally {
    rmSync(file)
  }
}

describe('npm run lint', { timeout: 60_000 }, () => {
  it('accepts a module that imports only what its folder may import', async () => {
    const { status } = await lintWith('src/oidc/planted.ts', [
      "import { findClient } from '../config/clients.ts'",
      '',
      'export const planted = findClient',
    ])

    expect(status).toBe(0)
  })

  it('rejects a route module that imports another one', async () => {
    const { status, output } = await lintWith('src/oidc/planted.ts', [
      "import { startSignIn } from '../signin/start-sign-in.ts'",
      '',
      'export const planted = startSignIn',
    ])

    expect(status).toBe(1)
    expect(output).toContain('route modules communicate by URL')
  })

  it('rejects an import that closes a cycle between folders', async () => {
    const { status, output } = await lintWith('src/tokens/planted.ts', [
      "import { userObject } from '../users/user-object.ts'",
      '',
      'export const planted = userObject',
    ])

    expect(status).toBe(1)
    expect(output).toContain('cycle between folders')
  })

  it.each([
    'env.SESSIONS',
    "env['DIRECTORY']",
    '(({ USERS }: Env) => USERS)(env)',
    '(({ GUARDS: guards }: Env) => guards)(env)',
  ])('rejects a binding that is accessed in a second file: %s', async (expression) => {
    const { status, output } = await lintWith('src/account/planted.ts', [
      'export function planted(env: Env) {',
      `  return ${expression}`,
      '}',
    ])

    expect(status).toBe(1)
    expect(output).toContain('Each binding is accessed in exactly one file')
  })

  it('rejects the web framework in a domain module', async () => {
    const { status, output } = await lintWith('src/grants/planted.ts', [
      "import { Hono } from 'hono'",
      '',
      'export const planted = new Hono()',
    ])

    expect(status).toBe(1)
    expect(output).toContain('do not depend on the web framework')
  })
})
