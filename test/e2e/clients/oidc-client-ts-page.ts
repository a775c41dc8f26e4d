import { UserManager } from 'oidc-client-ts'

/** The script of a browser app, with the settings of docs/relying-apps.md and buttons for a person to press. */
const here = `${location.origin}/`
const auth = new UserManager({
  authority: document.documentElement.dataset['authority'] ?? '',
  client_id: 'spa',
  redirect_uri: here,
  post_logout_redirect_uri: here,
  scope: 'openid profile offline_access',
  loadUserInfo: true,
})

onPress('sign-in', () => auth.signinRedirect())
onPress('renew', () => auth.signinSilent().then(show))
onPress('renew-in-frame', () => auth.signinSilent({ forceIframeAuth: true }).then(show))
onPress('revoke', () => auth.revokeTokens().then(() => show('revoked')))
onPress('sign-out', () => auth.signoutRedirect())

try {
  if (new URLSearchParams(location.search).has('state')) {
    await auth.signinCallback()
    history.replaceState(null, '', location.pathname)
  }
  show(await auth.getUser())
} catch (error) {
  show(error)
}

function onPress(id: string, act: () => Promise<unknown>): void {
  document.getElementById(id)?.addEventListener('click', () => {
    show('…')
    act().catch(show)
  })
}

function show(what: unknown): void {
  const shown = what instanceof Error ? { trouble: { ...what } } : what
  const place = document.getElementById('shown')
  if (place) place.textContent = JSON.stringify(shown)
}
