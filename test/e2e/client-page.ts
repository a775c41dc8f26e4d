import { type Client, type ClientOptions, createClient, dpop } from '../../src/client.ts'

declare global {
  interface Window {
    client: Client<{ acr: string }>
    /** All states that the listener was called with. */
    states: string[]
    /** Options that a test changes before the page is loaded. */
    changedOptions?: Partial<ClientOptions>
  }
}

/** The script of a frontend, on the site of the login service or on its own. */
const { login = '', audiences = '' } = document.documentElement.dataset
const isSameSite = location.hostname === 'localhost'
/** Its client is registered with `dpop_bound_access_tokens`. */
const isBound = location.hostname === 'bound.localhost'
/** What the developer of the frontend has configured otherwise. */
const { dpop: isBoundNow, ...changes } = JSON.parse(
  new URLSearchParams(location.search).get('options') ?? '{}',
)
window.states = []
window.client = createClient({
  url: login,
  clientId: isBound ? 'bound-frontend' : 'frontend',
  ...((isBound || isBoundNow) && { dpop }),
  ...(!isSameSite && { redirectUri: `${location.origin}/`, audiences: audiences.split(' ') }),
  ...changes,
  ...window.changedOptions,
})
window.client.onChange(({ status, session }) => {
  window.states.push(status)
  const output = document.getElementById('state')
  if (output) output.textContent = `${status} ${session?.user.name ?? ''}`.trim()
})
