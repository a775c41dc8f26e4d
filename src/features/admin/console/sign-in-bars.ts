import { nowInSeconds, startOfHour } from '../../../foundation/values/clock.ts'
import type { SignInTotal } from '../sign-in-counts.ts'
import { PERIODS, type Period } from './periods.ts'
import type { Bar } from './sign-in-chart.tsx'

const HOUR = 3600 // seconds

/** The beginning of the first hour of a period that ends with the present one. */
export function startOfPeriod(period: Period): number {
  return startOfHour(nowInSeconds()) - (PERIODS[period].hours - 1) * HOUR
}

/** How long each part of a period is, in seconds, and how many there are. */
export function partsOf(period: Period): { length: number; count: number } {
  const { hours, barHours } = PERIODS[period]
  return { length: barHours * HOUR, count: hours / barHours }
}

/** The bars of a period, from the totals of its parts. The first one has this number. */
export function createBars(
  period: Period,
  totals: readonly SignInTotal[],
  firstPart: number,
): Bar[] {
  const { length, count } = partsOf(period)
  const since = startOfPeriod(period)
  return Array.from({ length: count }, (_, bar) => ({
    since: since + bar * length,
    until: since + (bar + 1) * length,
    ...countSignIns(totals.filter(({ part }) => part === firstPart + bar)),
  }))
}

export function countSignIns(totals: readonly SignInTotal[]) {
  const count = (isSuccess: boolean) =>
    sum(totals.filter(({ outcome }) => (outcome === 'ok') === isSuccess).map(({ count }) => count))
  return {
    succeeded: count(true),
    failed: count(false),
    newUsers: sum(totals.map(({ newUsers }) => newUsers)),
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
