import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Run {
  /** What is piped into it. */
  input?: string
  env?: Record<string, string>
}

/** Runs the command as a person would, and waits for its end. */
export function vestibule(flags: readonly string[], run?: Run) {
  return finish(process.execPath, ['bin/vestibule.js', ...flags], run)
}

/** Runs any program to its end, or to the end of the test. */
export async function finish(
  program: string,
  flags: readonly string[],
  { input = '', env = {} }: Run = {},
) {
  const options: SpawnOptions = { stdio: 'pipe', env: { ...process.env, ...env } }
  const child = spawn(program, flags, { ...options, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(input)
  const [output, complaints, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { output, complaints, status: status as number }
}
