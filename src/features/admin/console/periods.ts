import type { AppContext } from '../../../core/http/app-env.ts'

/** What the overview can show, and how its chart shows it: a bar per part of the period. */
export const PERIODS = {
  '24h': {
    label: '24 hours',
    hours: 24,
    barHours: 1,
    barName: 'hour',
    barsPerLabel: 6,
    labelFormat: { hour: '2-digit', minute: '2-digit' },
  },
  '7d': {
    label: '7 days',
    hours: 7 * 24,
    barHours: 6,
    barName: 'six hours',
    barsPerLabel: 4,
    labelFormat: { weekday: 'short', day: 'numeric' },
  },
  '30d': {
    label: '30 days',
    hours: 30 * 24,
    barHours: 24,
    barName: 'day',
    barsPerLabel: 6,
    labelFormat: { day: 'numeric', month: 'short' },
  },
} as const

/** How a chart shows its bars. */
export interface Scale {
  barName: string
  barsPerLabel: number
  labelFormat: Intl.DateTimeFormatOptions
}

/** The bars of the live view. */
export const LIVE_SCALE: Scale = {
  barName: 'minute',
  barsPerLabel: 10,
  labelFormat: { hour: '2-digit', minute: '2-digit' },
}

export type Period = keyof typeof PERIODS

/** The period that the URL names. */
export function requestedPeriod(c: AppContext, otherwise: Period): Period {
  const name = c.req.query('period') ?? ''
  return Object.hasOwn(PERIODS, name) ? (name as Period) : otherwise
}
