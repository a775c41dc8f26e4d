import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

interface CommandOptions {
  /** Written to standard input. */
  input?: string
  /** Added to the environment of this process. */
  env?: Record<string, string>
  /** The folder to run in; the root of the repository by default. */
  cwd?: string
}

const MAIN = fileURLToPath(new URL('../../cli/vestibule.js', import.meta.url))

/** Runs the command-line tool to its end. */
export function vestibule(flags: readonly string[], options?: CommandOptions) {
  return runCommand(process.execPath, [MAIN, ...flags], options)
}

/** Runs a program to its end; it is killed if the test ends before. */
export async function runCommand(
  program: string,
  flags: readonly string[],
  { input = '', env = {}, cwd }: CommandOptions = {},
) {
  const child = spawn(program, flags, { stdio: 'pipe', env: { ...process.env, ...env }, cwd })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(input)
  const [output, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { output, stderr, status: status as number }
}
