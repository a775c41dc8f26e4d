import type { Messages } from './messages/choose.ts'

/** Says who is signed in, by what they call themselves. */
export function SignedInAs({ messages, name }: { messages: Messages; name: string | undefined }) {
  const { as, someone } = messages.signedIn
  return <p>{as(isolate(name ?? someone))}</p>
}

/** Keeps a name's writing direction to itself (Unicode TR 9, isolates): it cannot turn the sentence around. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`
}
