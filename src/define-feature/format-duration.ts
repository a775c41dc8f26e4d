import { formatUnit } from '../core/pages/format.ts'

/** Such as "30 seconds", "15 minutes" or "5 hours". */
export function formatDuration(seconds: number, language: string): string {
  if (seconds < 60) return formatUnit(seconds, 'second', language)
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return formatUnit(minutes, 'minute', language)
  return formatUnit(Math.ceil(minutes / 60), 'hour', language)
}
