import { transform } from 'esbuild'
import { vi } from 'vitest'
import { runCommand } from '../../cli/run-command.ts'

/**
 * Runs a command in this process, because loading wrangler takes longer than all the rest.
 * `test/e2e/doctor.test.ts` tests how commands are started.
 */
export async function runInProcess(
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
) {
  // esbuild's process stays in the folder in which it is started, and commands run in folders that
  // are deleted.
  await transform('')
  const root = process.cwd()
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  process.chdir(cwd)
  try {
    const status = await runCommand(args)
    const [output = '', errors = ''] = [stdout, stderr].map(({ mock }) =>
      mock.calls.flat().join(''),
    )
    return { output, stderr: errors, status }
  } finally {
    process.chdir(root)
    vi.unstubAllEnvs()
    stdout.mockRestore()
    stderr.mockRestore()
  }
}
