import { CommandError, UsageError } from '../command-error.ts'
import { Prompt } from '../setup/prompt.ts'
import { operationHelp } from './operation-help.ts'
import type { OperationId } from './operations.ts'

interface Confirmation {
  operationId: OperationId
  /** What it changes, such as `shop at https://login.example.com`. */
  subject: string
  /** Whether `--yes` was given. */
  isConfirmed: boolean | undefined
}

/** Asks the operator to confirm an operation that is hard to undo. */
export async function confirm({ operationId, subject, isConfirmed }: Confirmation): Promise<void> {
  const { summary, details } = operationHelp(operationId)
  await confirmConsequences(`${summary}: ${subject}\n${details}`, isConfirmed)
}

/** Asks the operator to accept these consequences. Without a terminal, `--yes` is required. */
export async function confirmConsequences(
  consequences: string,
  isConfirmed: boolean | undefined,
): Promise<void> {
  if (isConfirmed) return
  if (!process.stdin.isTTY) {
    throw new UsageError(`${consequences}\nThis needs confirmation: use --yes.`)
  }
  process.stderr.write(`${consequences}\n`)
  const answer = await new Prompt(true).ask('Continue? [y/N] ')
  if (!/^y(es)?$/i.test(answer ?? '')) throw new CommandError('Nothing was changed.')
}
