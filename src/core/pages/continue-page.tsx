import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { messagesFor, respondWithPage } from './page-response.tsx'

/**
 * Ends a form post of our pages, and continues at a URL that has been checked. A redirect would be
 * subject to the `form-action` policy of the page with the form, at every URL that follows.
 */
export async function continueAt(
  c: AppContext,
  url: string,
  { title }: { title?: string } = {},
): Promise<Response> {
  const messages = await messagesFor(c)
  const { issuer } = c.get('config')
  const { origin, host } = new URL(url, issuer)
  const app = c.get('client')?.client_name
  return respondWithPage(
    c,
    <ContinuePage messages={messages} href={url} host={origin === issuer ? undefined : host} />,
    {
      title:
        title ??
        (app ? messages.t('continuing.titleFor', { app }) : messages.t('continuing.title')),
      continueTo: url,
    },
  )
}

/**
 * Continues in an app, at a URL with its own scheme that has been checked. After a redirect, a user
 * whose device has no such app, or whose browser wants them to press something, would be left with
 * the page before.
 */
export async function openApp(c: AppContext, url: string, client: Client): Promise<Response> {
  const messages = await messagesFor(c)
  const app = client.client_name
  return respondWithPage(
    c,
    <OpenAppPage messages={messages} href={url} app={app} />,
    // The response may be an error, so it does not say that the user is signed in.
    { title: messages.t('signedIn.continueTo', { app }), client, continueTo: url },
  )
}

interface ContinuePageProps {
  messages: Messages
  href: string
  /** The host or the app that the user continues at, if it is not this service. */
  host: string | undefined
}

/**
 * Ends a form post. The response has a `Refresh` header, so browsers continue immediately; the link
 * is for those that do not.
 */
export function ContinuePage({ messages, href, host }: ContinuePageProps) {
  return (
    <>
      <p>{messages.t('continuing.lead')}</p>
      <a class="primary" id="continue" href={href}>
        {host ? messages.t('signedIn.continueTo', { app: host }) : messages.t('signedIn.continue')}
      </a>
    </>
  )
}

interface OpenAppPageProps extends Pick<ContinuePageProps, 'messages' | 'href'> {
  /** The name of the app. */
  app: string
}

/** The same for an app on the user's device. */
export function OpenAppPage({ messages, href, app }: OpenAppPageProps) {
  return (
    <>
      <ContinuePage messages={messages} href={href} host={app} />
      <p class="note">{messages.t('continuing.appMissing', { app })}</p>
    </>
  )
}
