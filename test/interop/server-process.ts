import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from './clients.ts'

export interface ProcessOptions {
  folder: string
  env: Record<string, string>
  /** The file that receives its output. */
  log: string
  /** Milliseconds until the process is killed, or until a server must accept connections. */
  timeout: number
}

/** Milliseconds between attempts to connect to a server that is starting. */
const RETRY_INTERVAL = 100

/** Milliseconds that a server has for its own clean-up before it is killed. */
const STOP_TIMEOUT = 5000

const running = new Set<ChildProcess>()

/** Ends every process that was started here, with the processes that it has started. */
export function killRunning(): void {
  for (const child of running) killGroup(child, 'SIGKILL')
}

/** Runs a command to its end. Rejects if it fails or takes too long. */
export async function runCommand(command: Command, options: ProcessOptions): Promise<void> {
  const child = startProcess(command, options)
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), options.timeout)
  try {
    const [status, signal] = await once(child, 'exit')
    if (status !== 0) throw new Error(`${command.join(' ')}: exit status ${status ?? signal}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Starts a server and returns when it accepts connections at this port of localhost. */
export async function startServer(
  command: Command,
  port: number,
  options: ProcessOptions,
): Promise<{ stop: () => Promise<void> }> {
  const child = startProcess(command, options)
  const exited = once(child, 'exit')
  exited.catch(() => {}) // reported below
  const stop = async () => {
    await stopServer(child, exited)
    // What it has started may end a moment later.
    const end = performance.now() + STOP_TIMEOUT
    while (performance.now() < end && (await isListening(port))) await sleep(RETRY_INTERVAL)
  }
  const deadline = performance.now() + options.timeout
  while (!(await isListening(port))) {
    if (child.pid === undefined) await exited
    if (child.exitCode !== null) throw new Error(`${command.join(' ')}: ended before it listened`)
    if (performance.now() > deadline) {
      await stop()
      throw new Error(`${command.join(' ')}: not listening after ${options.timeout / 1000} s`)
    }
    await sleep(RETRY_INTERVAL)
  }
  return { stop }
}

/**
 * In a process group of its own, so that it can be ended together with the processes that it
 * starts.
 */
function startProcess(command: Command, { folder, env, log }: ProcessOptions): ChildProcess {
  const [program, ...args] = command
  appendFileSync(log, `$ ${command.join(' ')}\n`)
  const output = openSync(log, 'a')
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    detached: true,
  })
  closeSync(output)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function stopServer(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  killGroup(child, 'SIGTERM')
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_TIMEOUT)
  if (child.exitCode === null && child.signalCode === null) await exited
  clearTimeout(timer)
  killGroup(child, 'SIGKILL') // what it started and left behind
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has already ended.
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}
