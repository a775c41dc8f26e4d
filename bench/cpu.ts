import { readdirSync, readFileSync } from 'node:fs'

/** The kernel's unit in /proc/<pid>/stat: a hundredth of a second. */
const TICK = 10_000 // microseconds

/** The CPU time a process has used so far, in microseconds: user and kernel mode, all threads. */
export function cpuTime(pid: number): number {
  return schedulerTime(pid) ?? tickTime(pid)
}

/** The scheduler's figure, exact to the nanosecond. Not every kernel provides it. */
function schedulerTime(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const times = tasks.map((task) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')
      return Number(nanoseconds)
    })
    return times.reduce((sum, time) => sum + time, 0) / 1000
  } catch {
    return undefined
  }
}

function tickTime(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  // utime and stime (proc_pid_stat(5)), counted from the field after the process name.
  return (Number(fields[11]) + Number(fields[12])) * TICK
}
