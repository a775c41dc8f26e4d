import { UserManager } from 'oidc-client-ts'

/** The script of a browser app with the settings of docs/relying-apps.md. */
const appUrl = `${location.origin}/`
const auth = new UserManager({
  authority: document.documentElement.dataset['authority'] ?? '',
  client_id: 'spa',
  redirect_uri: appUrl,
  post_logout_redirect_uri: appUrl,
  scope: 'openid profile offline_access',
  loadUserInfo: true,
})

onClick('sign-in', () => auth.signinRedirect())
onClick('renew', () => auth.signinSilent().then(show))
onClick('renew-in-frame', () => auth.signinSilent({ forceIframeAuth: true }).then(show))
onClick('revoke', () => auth.revokeTokens().then(() => show('revoked')))
onClick('sign-out', () => auth.signoutRedirect())

try {
  if (new URLSearchParams(location.search).has('state')) {
    await auth.signinCallback()
    history.replaceState(null, '', location.pathname)
  }
  show(await auth.getUser())
} catch (error) {
  show(error)
}

function onClick(id: string, act: () => Promise<unknown>): void {
  document.getElementById(id)?.addEventListener('click', () => {
    show('…')
    act().catch(show)
  })
}

function show(value: unknown): void {
  const result = value instanceof Error ? { failure: { ...value } } : value
  const output = document.getElementById('result')
  if (output) output.textContent = JSON.stringify(result)
}
