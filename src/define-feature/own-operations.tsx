import { HttpProblem, requireFound } from '../operations/http-problem.ts'
import { type Implementation, implement } from '../operations/operation.ts'
import { type OperationDescription, post } from '../operations/operation-description.ts'
import type { OperationGroup } from '../operations/operation-group.ts'
import { toUserRecord } from '../users/directory-rows.ts'
import { readUserRows } from '../users/linked-accounts.ts'
import { defaultMessages, type FeatureWords, featureContext } from './feature-context.ts'
import type { UserOperation } from './own-feature.ts'

/** What administrators can do about a user, as operations of the admin API and the console. */
export function userOperations<Bindings>(
  words: FeatureWords,
  operations: Readonly<Record<string, UserOperation<Bindings>>>,
): OperationGroup {
  const entries = Object.entries(operations)
  return {
    table: Object.fromEntries(
      entries.map(([name, operation]) => [
        operationId(words.id, name),
        describeOperation(words.id, name, operation),
      ]),
    ),
    createImplementations: () =>
      Object.fromEntries(
        entries.map(([name, operation]) => [
          operationId(words.id, name),
          implementOperation(words, operation),
        ]),
      ),
    sections: [],
  }
}

/** The id of the operation `reset` of the feature `new-country` is `resetNewCountry`. */
function operationId(feature: string, name: string): string {
  return name + feature.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
}

function describeOperation<Bindings>(
  feature: string,
  name: string,
  { run: _, ...texts }: UserOperation<Bindings>,
): OperationDescription {
  return post(`/users/:id/${feature}/${name}`, 'admin:support', { ...texts, protectsOwners: true })
}

function implementOperation<Bindings>(
  words: FeatureWords,
  { run }: UserOperation<Bindings>,
): Implementation {
  return implement({
    async handle({ env, config, id, origin }) {
      const rows = requireFound(await readUserRows(env, id))
      const pending: Promise<unknown>[] = []
      const context = featureContext<Bindings>(words, {
        env,
        config,
        user: toUserRecord(rows.user),
        origin,
        network: origin.network,
        place: '',
        loadMessages: () => defaultMessages(config),
        defer: (work) => pending.push(work),
      })
      const problem = await run(context)
      if (problem) throw new HttpProblem(409, problem)
      await Promise.all(pending)
    },
  })
}
