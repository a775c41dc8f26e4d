import { errorMessage } from '../cli/error-message.ts'

/**
 * Ends the process after it printed what is wrong with the arguments and how to use the command.
 */
export function exitWithUsage(error: unknown, help: string): never {
  process.stderr.write(`${errorMessage(error)}\n\n${help}`)
  process.exit(2)
}
