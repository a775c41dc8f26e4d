import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Runs a script of the repository, and ends it with the test if it has not ended by then. */
export function run(script: string, ...flags: string[]) {
  const child = spawn(process.execPath, [script, ...flags], { stdio: 'pipe' })
  let output = ''
  let complaints = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    complaints += data
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    process: child,
    ended: once(child, 'close').then(([code]) => code),
    output: () => output || complaints,
    saying: (text: string) => waitFor(child, () => output.includes(text)),
  }
}

async function waitFor(child: ChildProcess, isReached: () => boolean): Promise<void> {
  while (!isReached() && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
