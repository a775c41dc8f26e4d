import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UserObject } from '../../src/core/users/user-object.ts'
import { advanceClock, setClock } from '../clock.ts'
import { level } from '../soak/level.ts'
import { newUserObject } from '../storage.ts'
import { runModel } from './run-model.ts'
import { type Action, actions, codeFlows, observe, pauses, type Step } from './user-actions.ts'
import { type Observation, UserModel } from './user-model.ts'

const { runs, maxSeconds } = level.model

/** One user: the real object, the model, and everything that was seen so far. */
interface World {
  object: UserObject
  stub: DurableObjectStub<UserObject>
  model: UserModel
  history: History
}

/** Guarantees that can be checked without the model: what has ended never comes back. */
class History {
  #ended = new Set<string>()
  #present = new Set<string>()

  add({ sids, grants }: Observation): void {
    const present = new Set([...sids, ...grants])
    expect([...present].filter((id) => this.#ended.has(id))).toEqual([])
    for (const id of this.#present) if (!present.has(id)) this.#ended.add(id)
    this.#present = present
  }
}

/** One action after the other: the object must do exactly what the model does. */
class Sequential implements fc.AsyncCommand<World, undefined> {
  readonly #action: Action

  constructor(action: Action) {
    this.#action = action
  }

  check({ model }: World): boolean {
    return this.#action.prepare(model) !== undefined
  }

  async run(world: World): Promise<void> {
    const { model, object, history } = world
    const step = this.#action.prepare(model)
    const result = await step?.call(object)
    const expected = step?.expect(model)
    const observed = observe(object, model.codes)

    expect({ result, ...observed }).toEqual({ result: expected, ...model.observe() })
    history.add(observed)
  }

  toString(): string {
    return this.#action.name
  }
}

/**
 * Time passes. What has expired is gone at once, and the alarm that deletes it makes no difference.
 */
class Wait implements fc.AsyncCommand<World, undefined> {
  readonly #seconds: number

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  check(): boolean {
    return true
  }

  async run({ model, object, history }: World): Promise<void> {
    advanceClock(this.#seconds)
    model.expire()
    const beforeAlarm = observe(object, model.codes)
    await object.alarm()
    const afterAlarm = observe(object, model.codes)

    expect([beforeAlarm, afterAlarm]).toEqual([model.observe(), model.observe()])
    history.add(afterAlarm)
  }

  toString(): string {
    return `wait ${this.#seconds} s`
  }
}

/**
 * Two requests at the same time: the object must do what the model does in one order or the other.
 */
class Concurrent implements fc.AsyncCommand<World, undefined> {
  readonly #actions: readonly [Action, Action]

  constructor(...pair: [Action, Action]) {
    this.#actions = pair
  }

  check({ model }: World): boolean {
    return this.#actions.every((action) => action.prepare(model) !== undefined)
  }

  async run(world: World): Promise<void> {
    const { model, object, stub, history } = world
    const [first, second] = this.#actions.map((action) => action.prepare(model))
    if (!first || !second) return
    const results = await Promise.all([first.call(stub), second.call(stub)])
    const inOrder = predict(model, first, second)
    const reversed = predict(model, second, first)
    const grantIds = [...new Set([...inOrder.model.codes, ...reversed.model.codes])]
    const observed = { results, ...observe(object, grantIds) }

    const possible = [
      { ...inOrder, seen: { results: inOrder.results, ...inOrder.model.observe() } },
      {
        ...reversed,
        seen: { results: reversed.results.toReversed(), ...reversed.model.observe() },
      },
    ]
    expect(possible.map(({ seen }) => seen)).toContainEqual(observed)
    world.model =
      possible.find(({ seen }) => JSON.stringify(seen) === JSON.stringify(observed))?.model ?? model
    history.add(observed)
  }

  toString(): string {
    return `at the same time: ${this.#actions.map(({ name }) => name).join(' | ')}`
  }
}

function predict(model: UserModel, ...steps: Step[]) {
  const copy = model.copy()
  return { model: copy, results: steps.map((step) => step.expect(copy)) }
}

const commands = fc.commands(
  [
    fc.oneof<fc.WeightedArbitrary<fc.AsyncCommand<World, undefined>>[]>(
      { weight: 12, arbitrary: actions.map((action) => new Sequential(action)) },
      { weight: 4, arbitrary: codeFlows.map((action) => new Sequential(action)) },
      {
        weight: 6,
        arbitrary: fc.tuple(actions, actions).map((pair) => new Concurrent(...pair)),
      },
      { weight: 4, arbitrary: pauses.map((seconds) => new Wait(seconds)) },
    ),
  ],
  { maxCommands: 40, size: 'max' },
)

describe('a user object', { timeout: (maxSeconds + 60) * 1000 }, () => {
  it(`[C1][D4][Q1] behaves like its model in ${runs} random sequences of calls and concurrent pairs`, async () => {
    const start = Date.now() / 1000

    await runModel(
      fc.asyncProperty(commands, async (sequence) => {
        const stub = newUserObject()
        // Inside of the object, because calls from outside take most of the time.
        await runInDurableObject(stub, async (object, { id, storage }) => {
          setClock(start)
          const world = {
            object,
            stub: env.USERS.get(id),
            model: new UserModel(),
            history: new History(),
          }
          await fc.asyncModelRun(() => ({ model: world, real: undefined }), sequence)
          await storage.deleteAlarm()
        })
        // Closes its three files, because some machines allow 1,024 per process. Its alarm would
        // open them again.
        await evictDurableObject(stub)
      }),
      { runs, maxSeconds },
    )
  })
})
