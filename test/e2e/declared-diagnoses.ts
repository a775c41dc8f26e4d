import { globSync, readFileSync } from 'node:fs'

/** The value of each `what`, of a finding or a constant. */
const VALUES = /\bwhat(?::\s+(?!string)| = )([\s\S]*?)(?=,?\s+why\b|\n\s*return\b)/g

const TEXTS = /'([^']*)'|"([^"]*)"|`([^`]*)`/g

/**
 * What `doctor` can report, as its source declares it: each text of a `what`, in which `…` replaces
 * what is calculated. Texts without any words are left out: those of the settings and of the
 * service itself.
 */
export function declaredDiagnoses(...patterns: string[]): string[] {
  return patterns
    .flatMap((pattern) => globSync(`cli/${pattern}`))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(VALUES)])
    .flatMap(([, value = '']) => [...withoutCalculations(value).matchAll(TEXTS)])
    .map((texts) => texts.slice(1).join(''))
    .filter((text) => /[a-z]{2}.* .*[.…]$/.test(text))
}

/** Replaces `${…}` in templates, beginning with the innermost. */
function withoutCalculations(code: string): string {
  const changed = code.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
  return changed === code ? code : withoutCalculations(changed)
}

/** Whether a finding is this diagnosis. */
export function isDiagnosis(diagnosis: string, what: string): boolean {
  const parts = diagnosis.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}`).test(what)
}
