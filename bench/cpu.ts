import { readdirSync, readFileSync } from 'node:fs'

/** A hundredth of a second, in which kernels count. */
const TICK = 10_000 // microseconds

/** The CPU time that a process has used so far, in microseconds: its own and the kernel's for it, of all threads. */
export function cpuOf(pid: number): number {
  return exactly(pid) ?? inTicks(pid)
}

/** What the scheduler knows to the nanosecond. Not every kernel tells. */
function exactly(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const times = tasks.map((task) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')
      return Number(nanoseconds)
    })
    return times.reduce((sum, one) => sum + one, 0) / 1000
  } catch {
    return undefined
  }
}

function inTicks(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  // utime and stime (proc_pid_stat(5)), counted from the field after the name.
  return (Number(fields[11]) + Number(fields[12])) * TICK
}
