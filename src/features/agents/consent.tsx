import type { AppContext } from '../../core/http/app-env.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { ConsentPart, ConsentRequest } from '../../core/oidc/consent-part.ts'
import { joinSentences } from '../../core/pages/format.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { countUse } from '../../define-feature/count-in-guards.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { recordApproval } from './client-store.ts'
import { USE_LIMITS } from './limits.ts'
import type { AgentMessages, en } from './texts.ts'

/** What the consent page says about an unregistered client. */
export function consentPart(
  coreMessages: Messages,
  { client, redirectUri }: ConsentRequest,
): ConsentPart | undefined {
  const { client_name, unregistered } = client
  if (!unregistered) return undefined
  const messages = withTexts<typeof en>(coreMessages)
  const isLocal = isLoopback(redirectUri)
  const { chosenName } = unregistered
  const name = chosenName === client_name ? undefined : chosenName
  return {
    isWarning: true,
    notice: <UnregisteredApp messages={messages} app={{ name, isLocal }} />,
    ...(unregistered.kind === 'registration' && {
      // Nobody has confirmed any name of it.
      title: isLocal
        ? messages.t('consent.localTitle')
        : // Anyone can register the redirect URIs of others. Only this one gets the response.
          messages.t('consent.title', { app: new URL(redirectUri).host }),
    }),
  }
}

interface UnregisteredAppProps {
  messages: AgentMessages
  app: {
    /** The name that the app has given itself. */
    name: string | undefined
    /** Whether the response is sent to a program on the user's device. */
    isLocal: boolean
  }
}

/** Says that nobody vouches for the app. The title of the page names its host. */
export function UnregisteredApp({ messages, app: { name, isLocal } }: UnregisteredAppProps) {
  const sentences = [
    messages.t('consent.notChecked'),
    ...(name ? [messages.t('consent.calledItself', { name: isolateTextDirection(name) })] : []),
  ]
  return (
    <div class="notice warning">
      <p>{joinSentences(sentences, messages)}</p>
      {isLocal && <p>{messages.t('consent.localWarning')}</p>}
    </div>
  )
}

/** Records that the user allows this client, unless they do so too often or it has been blocked. */
export async function recordConsent(
  c: AppContext,
  { client, userId }: { client: Client; userId: string },
): Promise<void> {
  if (!client.unregistered) return
  const wait = await countUse(
    c.env,
    { limits: USE_LIMITS, name: 'unregistered clients allowed' },
    userId,
  )
  if (wait > 0) {
    c.header('Retry-After', String(wait))
    throw new SignInError('too_many_requests')
  }
  if (!(await recordApproval(c.env, client))) throw new SignInError('client_unknown')
}
