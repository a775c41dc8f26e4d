import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

/** One sentence that names the signed-in user. */
export function SignedInAs({ messages, name }: { messages: Messages; name: string | undefined }) {
  const { as, unnamedUser } = messages.signedIn
  return <p>{as(isolateTextDirection(name ?? unnamedUser))}</p>
}
