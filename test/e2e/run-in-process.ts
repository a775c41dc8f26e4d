import { vi } from 'vitest'
import { runCommand } from '../../cli/run-command.ts'

/**
 * Runs a command in this process, because loading wrangler takes longer than all the rest.
 * `test/e2e/doctor.test.ts` tests how commands are started.
 */
export async function runInProcess(
  [name, ...args]: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
) {
  const root = process.cwd()
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  process.chdir(cwd)
  try {
    const status = await runCommand(name, args)
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
