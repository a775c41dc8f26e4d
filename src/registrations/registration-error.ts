/** A client or API cannot be registered or changed like this: the administrator is informed. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError'
  readonly kind: 'invalid' | 'not_found' | 'exists' | 'read_only'
  readonly problems: readonly string[]

  constructor(kind: RegistrationError['kind'], problems: readonly string[]) {
    super(problems.join(' '))
    this.kind = kind
    this.problems = problems
  }
}
