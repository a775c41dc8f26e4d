import type { CredentialsAnswer, CredentialsAnswers } from '../../../core/metrics/counts.ts'

/** The providers whose last answer was a rejection, once these answers are known, too. */
export function updateRejections(
  rejections: CredentialsAnswers,
  answers: CredentialsAnswers,
): CredentialsAnswers {
  const isNews = ([id, { at }]: [string, CredentialsAnswer]) => at >= (rejections[id]?.at ?? 0)
  const latest = { ...rejections, ...Object.fromEntries(Object.entries(answers).filter(isNews)) }
  return Object.fromEntries(Object.entries(latest).filter(([, { error }]) => error !== undefined))
}
