import type { Cost } from './measure.ts'

/** A figure, and what it may be. */
export interface Figure {
  name: string
  /** In microseconds of CPU, where it is a job. */
  floor?: number
  service?: number
  value: number
  unit: '×' | 'KiB' | 'ms'
  bound: number | undefined
  isOver: boolean
}

/** As wrangler counts them. */
const HEAVIEST_BUNDLE = 60 // KiB, compressed

const LONGEST_COLD_START = 20 // milliseconds of CPU, over an empty worker

export function figuresOf(costs: readonly Cost[], gzip: number, coldStart: number): Figure[] {
  return [
    ...costs.map(({ job, floor, service, ratio }) => ({
      floor,
      service,
      ...figure(job.name, ratio, '×', job.bound),
    })),
    figure('bundle, compressed', gzip, 'KiB', HEAVIEST_BUNDLE),
    figure('cold start over an empty worker', coldStart, 'ms', LONGEST_COLD_START),
  ]
}

function figure(
  name: string,
  value: number,
  unit: Figure['unit'],
  bound: number | undefined,
): Figure {
  return { name, value, unit, bound, isOver: bound !== undefined && value > bound }
}

/** The figures as a table for people. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['', 'floor µs', 'service µs', 'ratio', 'bound', '']
  const rows = figures.map(({ name, floor, service, value, unit, bound, isOver }) => [
    name,
    floor?.toFixed(0) ?? '',
    service?.toFixed(0) ?? '',
    unit === '×' ? value.toFixed(2) : `${value.toFixed(1)} ${unit}`,
    bound === undefined ? '–' : `${bound}${unit === '×' ? '' : ` ${unit}`}`,
    bound === undefined ? '' : isOver ? 'over' : 'ok',
  ])
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}
