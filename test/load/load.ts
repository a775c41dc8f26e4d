import { type Person, type Places, signIn } from './sign-in.ts'
import { RefusedError } from './visitor.ts'

/** Each comes back often enough to be met by their own earlier sign-ins, and has few enough sessions to keep them. */
const MOST_PEOPLE = 500

export interface LoadReport {
  right: number
  /** What was wrong, each time. */
  wrong: string[]
  /** Who was told to come back later, or could not connect. */
  refused: string[]
  /** Milliseconds that the right ones took. */
  p50: number
  p99: number
}

/** So many sign-ins a second for so long, each begun on time whether or not the others have ended. */
export async function loadWithSignIns(
  places: Places,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<LoadReport> {
  const count = Math.round(perSecond * seconds)
  const people = await invite(places, Math.min(count, MOST_PEOPLE))
  const run = { wrong: [] as string[], refused: [] as string[], took: [] as number[] }
  const subjects = new Map<string, string>()
  const one = async (index: number) => {
    const person = people[index % people.length] as Person
    const started = performance.now()
    const subject = await signIn(places, person, addressOf(index))
    run.took.push(performance.now() - started)
    remember(subjects, person, subject)
  }
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await wait(begun + (index * 1000) / perSecond - performance.now())
      await one(index).catch((error: Error) => {
        const kind = error instanceof RefusedError ? run.refused : run.wrong
        kind.push(error.message)
      })
    }),
  )
  return { ...run, right: count - run.wrong.length - run.refused.length, ...timesOf(run.took) }
}

export function describeLoad({ right, wrong, refused, p50, p99 }: LoadReport): string {
  const share = (100 * refused.length) / (right + wrong.length + refused.length)
  return `${right} right, ${wrong.length} wrong, ${refused.length} refused (${share.toFixed(2)} %); p50 ${p50} ms, p99 ${p99} ms`
}

/** A person is one subject for ever, and a subject is one person. */
function remember(subjects: Map<string, string>, { handle }: Person, subject: string): void {
  const known = subjects.get(handle) ?? subject
  const owner = subjects.get(subject) ?? handle
  if (known !== subject || owner !== handle) throw new Error('a subject of somebody else')
  subjects.set(handle, subject).set(subject, handle)
}

async function invite({ platform }: Places, count: number): Promise<Person[]> {
  const tell = (path: string, body: object) =>
    fetch(`${platform}/__stand-in/${path}`, { method: 'POST', body: JSON.stringify(body) })
  await tell('switches', { callsPerMinute: 1_000_000 })
  const run = crypto.randomUUID().slice(0, 8)
  const people: Person[] = []
  for (let index = 0; index < count; index++) {
    const person = { handle: `load-${run}-${index}`, displayName: `Load ${run} ${index}` }
    await tell('users', person)
    people.push(person)
  }
  return people
}

/** One of the addresses that are kept for tests (RFC 3849), each in a network of its own. */
function addressOf(index: number): string {
  const [high, low] = [index >> 16, index & 0xffff].map((part) => part.toString(16))
  return `2001:db8:${high}:${low}::1`
}

function timesOf(took: number[]): { p50: number; p99: number } {
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { p50: at(0.5), p99: at(0.99) }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)))
}
