/**
 * How the console describes an event of the audit log. A sentence has `{actor}`, `{subject}`,
 * `{client}`, `{provider}` and `{detail}` of the entry. A part in brackets is left out if the entry
 * does not have what it names.
 */
export interface AuditSentence {
  text: string
  /** If users have done it to themselves. */
  ownText?: string
  /** If the outcome is not ok. */
  failureText?: string
  /** Whether it is a change by administrators, which they can select. */
  isChange?: true
  /** Whether it may be an attack, or a step of one. */
  isWarning?: true
  /**
   * If it shows that the deployment must be corrected: what `/readyz` says for a day, with `{count}`
   * for the number of users, and what to do.
   */
  correction?: { problem: string; fix: string }
}

/** By event. */
export type AuditSentences = Readonly<Record<string, AuditSentence>>

declare module '../core/config/feature.ts' {
  interface Feature {
    /** The events of the audit log that only it records, and what the console says about them. */
    audit?: AuditSentences
  }
}
