import { type Client, createClient } from '../../src/client.ts'

declare global {
  interface Window {
    client: Client<{ acr: string }>
    /** All states that the listener was called with. */
    states: string[]
  }
}

/** The script of a frontend, on the site of the login service or on its own. */
const { login = '', audiences = '' } = document.documentElement.dataset
const isSameSite = location.hostname === 'localhost'
/** What the developer of the frontend has configured otherwise. */
const changes = JSON.parse(new URLSearchParams(location.search).get('options') ?? '{}')
window.states = []
window.client = createClient({
  url: login,
  clientId: 'frontend',
  ...(!isSameSite && { redirectUri: `${location.origin}/`, audiences: audiences.split(' ') }),
  ...changes,
})
window.client.onChange(({ status, session }) => {
  window.states.push(status)
  const output = document.getElementById('state')
  if (output) output.textContent = `${status} ${session?.user.name ?? ''}`.trim()
})
