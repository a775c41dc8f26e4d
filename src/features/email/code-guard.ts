import { type GuardObject, guardObject } from '../../core/limits/guard-object.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'

/** The result of presenting a short code, of which only a few may be tried. */
export type CodeResult =
  | { kind: 'accepted' }
  /** It is correct, and was accepted a moment ago. */
  | { kind: 'repeated' }
  | { kind: 'wrong'; remaining: number }
  | { kind: 'exhausted' }
  | { kind: 'used' }

/** How a short code may be used. */
interface CodeRules {
  maxFailures: number
  /** For how many seconds the correct code can be presented again. */
  repeatableFor: number
  expiresAt: number
}

/** What the guard of an attempt does for its code. */
interface CodeGuard {
  /**
   * Checks a code that may be presented a few times and used once. Of several concurrent requests
   * with the correct code, one is accepted. After too many wrong ones, the correct one is rejected
   * too. Wrong ones are counted after the correct one as well, which could be guessed while it can
   * be repeated.
   */
  tryCode(isCorrect: boolean, rules: CodeRules): Promise<CodeResult>
}

/** The guard with this name, which counts the codes of an attempt. */
export function codeGuard(env: Env, name: string): CodeGuard {
  return guardObject(env, name) as unknown as CodeGuard
}

export function withCodes(Base: typeof GuardObject): typeof GuardObject {
  return class extends Base implements CodeGuard {
    async tryCode(isCorrect: boolean, rules: CodeRules): Promise<CodeResult> {
      const { result, name } = judge(this.rememberedNames(), isCorrect, rules)
      if (name !== undefined) await this.remember(name, rules.expiresAt)
      return result
    }
  }
}

/** The result of a code after those that are remembered, and the name to remember it under. */
function judge(
  names: readonly string[],
  isCorrect: boolean,
  { maxFailures, repeatableFor }: CodeRules,
): { result: CodeResult; name?: string } {
  const accepted = names.find((name) => name.startsWith('accepted'))
  const failures = names.filter((name) => name.startsWith('wrong ')).length
  const now = nowInSeconds()
  if (failures >= maxFailures) return { result: { kind: accepted ? 'used' : 'exhausted' } }
  if (isCorrect && accepted) {
    const isRepeatable = Number(accepted.split(' ')[1]) + repeatableFor > now
    return { result: { kind: isRepeatable ? 'repeated' : 'used' } }
  }
  if (isCorrect) return { result: { kind: 'accepted' }, name: `accepted ${now}` }
  const name = `wrong ${failures + 1}`
  if (accepted) return { result: { kind: 'used' }, name }
  const remaining = maxFailures - failures - 1
  return { result: remaining > 0 ? { kind: 'wrong', remaining } : { kind: 'exhausted' }, name }
}
