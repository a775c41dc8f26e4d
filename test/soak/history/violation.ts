import type { Span } from './history.ts'

/** What a history must not show. */
type Rule =
  | 'a code was redeemed twice'
  | 'a refresh token lived on after reuse'
  | 'something acknowledged was lost'
  | 'accepted after its end'
  | 'the audit log is wrong'
  | 'the webhook was not notified'

export interface Violation {
  rule: Rule
  message: string
  /** In milliseconds, by the clock of the history. */
  at: number
}

export function violation(rule: Rule, { start }: Span, message: string): Violation {
  return { rule, message, at: start }
}

export function lost(at: Span, message: string): Violation {
  return violation('something acknowledged was lost', at, message)
}
