import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface CommandOptions {
  /** Written to standard input. */
  input?: string
  /** Added to the environment of this process. */
  env?: Record<string, string>
}

/** Runs the command-line tool to its end. */
export function vestibule(flags: readonly string[], options?: CommandOptions) {
  return runCommand(process.execPath, ['cli/vestibule.js', ...flags], options)
}

/** Runs a program to its end; it is killed if the test ends before. */
export async function runCommand(
  program: string,
  flags: readonly string[],
  { input = '', env = {} }: CommandOptions = {},
) {
  const child = spawn(program, flags, { stdio: 'pipe', env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(input)
  const [output, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { output, stderr, status: status as number }
}
