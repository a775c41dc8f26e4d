import { mayUse } from '../administration/console/authorization.ts'
import { ActionLink, Card, Row, Rows } from '../administration/console/cards.tsx'
import { HttpProblem, requireFound } from '../administration/http-problem.ts'
import { type Implementation, implement } from '../administration/operation.ts'
import type { OperationGroup } from '../administration/operation-group.ts'
import { toUserRecord } from '../core/users/directory-rows.ts'
import { readUserRows } from '../core/users/linked-accounts.ts'
import { describeOperation } from './describe-operation.ts'
import {
  defaultMessages,
  type FeatureWords,
  featureContext,
  userContext,
} from './feature-context.ts'
import type { OwnFeature, UserOperation } from './own-feature.ts'

/** What administrators can do about a user, as operations of the admin API and the console. */
export function userOperations(
  words: FeatureWords,
  { operations = {}, userCard }: Pick<OwnFeature, 'operations' | 'userCard'>,
): OperationGroup {
  const entries = Object.entries(operations)
  return {
    table: Object.fromEntries(
      entries.map(([name, { run: _, ...texts }]) => [
        operationId(words.id, name),
        describeOperation(words.id, name, texts),
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
    async showUser(c, userId) {
      const rows = await readUserRows(c.env, userId)
      const user = rows && toUserRecord(rows.user)
      const card = user && (await userCard?.(userContext(c, words, { user })))
      if (!card) return undefined
      const allowed = entries.filter(([name, operation]) =>
        mayUse(c, describeOperation(words.id, name, operation)),
      )
      const actions = allowed.map(([name, { button, isDanger = false }]) => (
        <ActionLink
          href={`/admin/users/${encodeURIComponent(userId)}/${words.id}/${name}`}
          label={button}
          isDanger={isDanger}
        />
      ))
      return (
        <Card title={card.title}>
          <Rows whenEmpty="Nothing.">
            {card.facts.map((fact, index) => (
              <Row title={fact}>{index === 0 && actions}</Row>
            ))}
          </Rows>
        </Card>
      )
    },
  }
}

/** The id of the operation `reset` of the feature `new-country` is `resetNewCountry`. */
function operationId(feature: string, name: string): string {
  return name + feature.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
}

function implementOperation(words: FeatureWords, { run }: UserOperation): Implementation {
  return implement({
    async handle({ env, config, id, origin }) {
      const rows = requireFound(await readUserRows(env, id))
      const pending: Promise<unknown>[] = []
      const context = featureContext(words, {
        env,
        config,
        user: toUserRecord(rows.user),
        origin,
        network: origin.network,
        place: '',
        loadMessages: () => defaultMessages(config),
        defer: (work) => pending.push(work),
      })
      try {
        const problem = await run(context)
        if (problem) throw new HttpProblem(409, problem)
      } finally {
        // Also what was recorded before something else failed.
        await Promise.all(pending)
      }
    },
  })
}
