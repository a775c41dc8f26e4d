import { createContext, useContext } from 'hono/jsx'
import { nowInSeconds } from '../../foundation/values/clock.ts'

/** The time zone in which a page of the console shows times: that of the viewer, if it is known. */
export const TimeZone = createContext('UTC')

/** Further away, a date says more than a distance. */
const MAX_DISTANCE = 7 * 86_400 // seconds

/** When something happened or will happen. The exact time is shown on hover. */
export function Time({ at }: { at: number | undefined }) {
  const timeZone = useContext(TimeZone)
  if (at === undefined) return <span>–</span>
  return (
    <time datetime={new Date(at * 1000).toISOString()} title={formatTime(at, timeZone)}>
      {describeTime(at, timeZone)}
    </time>
  )
}

/** How long ago a time is, or in how long; a date after seven days. */
function describeTime(at: number, timeZone: string): string {
  if (Math.abs(at - nowInSeconds()) <= MAX_DISTANCE) return formatDistance(at)
  return formatDay(at, timeZone)
}

/** Such as "17 Aug 2026". */
export function formatDay(at: number, timeZone: string): string {
  return new Date(at * 1000).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone })
}

/** Such as "14:02". */
export function formatClock(at: number, timeZone: string): string {
  return new Date(at * 1000).toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone })
}

/** To the second, because administrators compare it with logs. It names the time zone. */
export function formatTime(at: number, timeZone: string): string {
  return `${new Date(at * 1000).toLocaleString('sv-SE', { timeZone })} ${timeZone}`
}

/** The largest of these units of which there is at least one is shown. In seconds. */
const UNITS = { day: 86_400, hour: 3600, minute: 60 } as const

function formatDistance(at: number): string {
  const distance = at - nowInSeconds()
  const units = Object.entries(UNITS) as [keyof typeof UNITS, number][]
  const [unit, length] = units.find(([, seconds]) => Math.abs(distance) >= seconds) ?? []
  if (unit === undefined || length === undefined) return 'just now'
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(distance / length), unit)
}

const DAY = 86_400_000 // milliseconds

/** Writes the calendar day of a time in this zone as 2026-11-18. */
export function calendar(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone })
  return (at) => format.format(at * 1000)
}

/** The calendar day that is some days before another one. */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY).toISOString().slice(0, 10)
}

/** Such as "Today", "Yesterday", "17 November" and "17 November 2025". */
export function nameDay(day: string, today: string): string {
  if (day === today) return 'Today'
  if (day === daysBefore(today, 1)) return 'Yesterday'
  return new Date(day).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
    timeZone: 'UTC',
  })
}

/** Such as "20 Oct". */
export function abbreviateDay(day: string): string {
  const format = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return new Date(day).toLocaleDateString('en-GB', format)
}
