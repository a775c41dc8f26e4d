import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/**
 * Starts a script of this repository. At the end of the test, it and the processes it has started
 * are killed.
 */
export function startScript(script: string, ...args: string[]) {
  // A process group of its own, to which the runtime belongs too. If only the script were killed,
  // the runtime would remain.
  const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe', detached: true })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const ended = once(child, 'close').then(([code]) => code)
  onTestFinished(async () => {
    killGroup(child)
    await ended
  })
  return {
    process: child,
    /** Resolves to the exit code. */
    ended,
    output: () => stdout || stderr,
    /** Waits until the text was printed, or the script has exited. */
    waitForOutput: (text: string) => waitFor(child, () => stdout.includes(text)),
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}

async function waitFor(child: ChildProcess, isReached: () => boolean): Promise<void> {
  while (!isReached() && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
