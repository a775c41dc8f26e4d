import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { defaultReturnUrl, returnQuery } from '../http/return-url.ts'
import { SignedInPage, SignInPage } from '../pages/sign-in-page.tsx'
import { providerButtonCss } from '../pages/stylesheet.ts'
import { readSession } from '../session/current.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { askingClient } from './asking-client.ts'
import { homeOf } from './state.ts'
import { wayToBrowser } from './web-view.ts'

/** The sign-in page: which providers there are, and who is signed in already. */
export async function respondWithSignInPage(c: AppContext, returnTo: string, prompt?: string) {
  const config = c.get('config')
  const messages = messagesFor(c)
  // Who has been asked to sign in again is not offered to go on.
  const session = prompt ? undefined : await readSession(c)
  const clientName = askingClient(config, returnTo)?.client_name
  const providers = enabledProviders(config)
  const back = await returnQuery(config, returnTo)
  const choices = providers.map(({ id, name, style, hasQrCode }) => {
    // Who is signed in and comes here to choose again may take another account.
    const query = new URLSearchParams({
      ...back,
      ...(session && { prompt: 'select_account' }),
      ...(prompt && { prompt }),
    })
    const at = `/api/auth/signin/${id}`
    const qr = hasQrCode ? `${at}/qr?${query}` : undefined
    return { id, name, logo: style.logo, href: `${at}?${query}`, qr }
  })
  const css = providers.map(({ id, style }) => providerButtonCss(id, style)).join('')
  if (!session) {
    const page = (
      <SignInPage
        messages={messages}
        choices={choices}
        browserUrl={wayToBrowser(c.req.header('User-Agent') ?? '', homeOf(config, returnTo))}
      />
    )
    const { title, titleFor } = messages.signIn
    return respondWithPage(c, page, { title: clientName ? titleFor(clientName) : title, css })
  }
  const page = (
    <SignedInPage
      messages={messages}
      clientName={clientName}
      choices={choices}
      name={session.user.name ?? session.user.username}
      returnTo={returnTo === defaultReturnUrl(config) ? undefined : returnTo}
      csrfToken={await csrfToken(c)}
    />
  )
  return respondWithPage(c, page, { title: messages.signedIn.title, css })
}
