/** What was found about one part of the deployment. */
export interface Finding {
  /** What is worth knowing although it works. */
  detail?: string
  problem?: string
  /** The command or the change that solves the problem. */
  fix?: string
  /** The problem does not keep users from signing in. */
  isWarning?: boolean
}

/** A part of the deployment that must work. */
export interface Requirement {
  name: string
  /** The binding that it uses, and a method that a binding of the right type has. */
  binding?: readonly [name: string, method: string]
  /** What to do if the binding is missing. */
  bindingFix?: string
  /** Uses it once, without storing anything. Throws if it cannot be used. */
  use?: () => Promise<Finding | undefined>
  /** What to do if it cannot be used. */
  useFix?: string
}
