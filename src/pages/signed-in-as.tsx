import { isolate } from './isolate.ts'
import type { Messages } from './messages/choose.ts'

/** Says who is signed in, by what they call themselves. */
export function SignedInAs({ messages, name }: { messages: Messages; name: string | undefined }) {
  const { as, someone } = messages.signedIn
  return <p>{as(isolate(name ?? someone))}</p>
}
