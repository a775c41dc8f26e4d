import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

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

interface LintResult {
  status: number
  output: string
}

/** Runs the linter in the copy with one more file, and checks that file alone, which is faster. */
function lintWith(path: string, lines: string[]): Promise<LintResult> {
  return runWith(path, lines, [join(copy, 'node_modules/.bin/biome'), 'ci', path])
}

/** Runs a command in the copy with one more file. */
async function runWith(
  path: string,
  lines: string[],
  [command = '', ...args]: string[],
): Promise<LintResult> {
  const file = join(copy, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
  try {
    return await new Promise((resolve) => {
      execFile(command, args, { cwd: copy }, (error, stdout, stderr) => {
        resolve({ status: Number(error?.code ?? 0), output: stdout + stderr })
      })
    })
  } finally {
    rmSync(file)
  }
}

describe('npm run check', () => {
  it('includes the linter', () => {
    expect(manifest.scripts.check).toContain('npm run lint &&')
  })
})

describe('npm run lint', { timeout: 60_000 }, () => {
  it('accepts a module that imports only what its folder may import', async () => {
    const { status } = await lintWith('src/oidc/planted.ts', [
      "import { isPublicClient } from '../config/clients.ts'",
      '',
      'export const planted = isPublicClient',
    ])

    expect(status).toBe(0)
  })

  it('rejects a route module that imports another one', async () => {
    const planted = [
      "import { startSignIn } from '../signin/start-sign-in.ts'",
      '',
      'export const planted = startSignIn',
    ]
    const command = ['npm', 'run', 'lint']
    const { status, output } = await runWith('src/oidc/planted.ts', planted, command)

    expect(status).toBe(1)
    expect(output).toContain('route modules communicate by URL')
  })

  it.each([
    ['src/tokens/planted.ts', '../users/user-object.ts', 'cycle between folders'],
    ['src/pages/messages/planted.ts', '../../users/user-object.ts', 'cycle between folders'],
    ['src/planted.tsx', './users/user-object.ts', 'import no folder'],
    ['src/new-folder/planted.ts', '../users/user-object.ts', 'no import rule yet'],
  ])(
    'rejects an import that could close a cycle between folders: %s',
    async (path, target, message) => {
      const { status, output } = await lintWith(path, [
        `import { userObject } from '${target}'`,
        '',
        'export const planted = userObject',
      ])

      expect(status).toBe(1)
      expect(output).toContain(message)
    },
  )

  it('rejects every binding that is accessed in a second file, however it is accessed', async () => {
    const accesses = [
      'env.SESSIONS',
      'env.KEYRING',
      'env.USER_RATE_LIMIT',
      'env.CLIENT_RATE_LIMIT',
      "env['DIRECTORY']",
      '(({ USERS }: Env) => USERS)(env)',
      '(({ GUARDS: guards }: Env) => guards)(env)',
    ]
    const { status, output } = await lintWith('src/account/planted.ts', [
      'export function planted(env: Env) {',
      '  return [',
      ...accesses.map((access) => `    ${access},`),
      '  ]',
      '}',
    ])

    expect(status).toBe(1)
    expect(output.split('Each binding is accessed in exactly one file')).toHaveLength(
      accesses.length + 1,
    )
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
