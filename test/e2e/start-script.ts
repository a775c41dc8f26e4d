import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Starts a script of this repository, and kills it at the end of the test if it is still running. */
export function startScript(script: string, ...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    process: child,
    /** Resolves to the exit code. */
    ended: once(child, 'close').then(([code]) => code),
    output: () => stdout || stderr,
    /** Waits until the text was printed, or the script has exited. */
    waitForOutput: (text: string) => waitFor(child, () => stdout.includes(text)),
  }
}

async function waitFor(child: ChildProcess, isReached: () => boolean): Promise<void> {
  while (!isReached() && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
