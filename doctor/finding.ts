/** What a check found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  name: string
  status: 'good' | 'problem' | 'warning' | 'skipped'
  /** What was seen, or why nothing was looked at. */
  detail?: string
  trouble?: Trouble
}

/** A thing that is wrong, in three sentences. */
export interface Trouble {
  what: string
  why: string
  fix: string
}

export function good(name: string, detail?: string): Finding {
  return { name, status: 'good', ...(detail !== undefined && { detail }) }
}

/** Something does not work, or will not for long. */
export function problem(name: string, trouble: Trouble): Finding {
  return { name, status: 'problem', trouble }
}

/** Something works, but perhaps not as it is meant. */
export function warning(name: string, trouble: Trouble): Finding {
  return { name, status: 'warning', trouble }
}

export function skipped(name: string, detail: string): Finding {
  return { name, status: 'skipped', detail }
}

/** All problems there are, or one good finding. */
export function goodUnless(name: string, troubles: readonly Trouble[], detail?: string): Finding[] {
  if (troubles.length === 0) return [good(name, detail)]
  return troubles.map((trouble) => problem(name, trouble))
}
