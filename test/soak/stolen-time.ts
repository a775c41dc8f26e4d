import { readFileSync } from 'node:fs'
import { platform } from 'node:os'

/**
 * Returns a function that says which share of the processors' time since then the hypervisor gave
 * to other machines (0 to 1). Only Linux tells; elsewhere it is 0.
 */
export function watchStolenTime(): () => number {
  const start = readProcessorTimes()
  return () => {
    const end = readProcessorTimes()
    return (end.stolen - start.stolen) / Math.max(1, end.total - start.total)
  }
}

/** In ticks, from the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function readProcessorTimes(): { total: number; stolen: number } {
  if (platform() !== 'linux') return { total: 0, stolen: 0 }
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { total: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 }
}
