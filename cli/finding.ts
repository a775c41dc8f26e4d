/** The result of one check. */
export interface Finding {
  /** What was checked, in one to three words. */
  name: string
  status: 'good' | 'problem' | 'warning' | 'skipped'
  /** What the check saw, or why it was skipped. */
  detail?: string
  /** Set for problems and warnings. */
  diagnosis?: Diagnosis
}

/** Explains a problem to the operator, in sentences. */
export interface Diagnosis {
  /** What is wrong. */
  what: string
  /** Why it matters. */
  why: string
  /** How to fix it. */
  fix: string
}

/** A condition, and the diagnosis if it is not met. */
export interface Expectation extends Diagnosis {
  isMet: boolean
}

export function good(name: string, detail?: string): Finding {
  return { name, status: 'good', ...(detail !== undefined && { detail }) }
}

/** Something does not work, or will soon stop working. */
export function problem(name: string, diagnosis: Diagnosis): Finding {
  return { name, status: 'problem', diagnosis }
}

/** Something works, but possibly not as intended. */
export function warning(name: string, diagnosis: Diagnosis): Finding {
  return { name, status: 'warning', diagnosis }
}

export function skipped(name: string, detail: string): Finding {
  return { name, status: 'skipped', detail }
}

/** One problem for each diagnosis, or one good finding if there are none. */
export function goodOrProblems(
  name: string,
  diagnoses: readonly Diagnosis[],
  detail?: string,
): Finding[] {
  if (diagnoses.length === 0) return [good(name, detail)]
  return diagnoses.map((diagnosis) => problem(name, diagnosis))
}

/** The diagnoses of those expectations that are not met. */
export function diagnoseUnmet(expectations: readonly Expectation[]): Diagnosis[] {
  return expectations
    .filter(({ isMet }) => !isMet)
    .map(({ what, why, fix }) => ({ what, why, fix }))
}
