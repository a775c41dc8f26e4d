import {
  createClient,
  defineUserButton,
  type Session,
  type UserButtonElement,
} from '../../src/client.ts' // In your app: 'vestibule-auth/client'

/** The script of the shop's page. */

const { loginUrl = '', ordersUrl = '' } = find('main').dataset
const login = createClient({ url: loginUrl, clientId: 'storefront' })

defineUserButton()
find<UserButtonElement>('vestibule-user-button').client = login

login.onChange(({ status, session }) => {
  for (const part of document.querySelectorAll<HTMLElement>('[data-status]')) {
    part.hidden = part.dataset['status'] !== status
  }
  if (session) void greet(session)
})

async function greet({ user, claims }: Session): Promise<void> {
  find('#name').textContent = user.name ?? user.username ?? user.email ?? 'there'
  showJson('#claims', claims)
  showJson('#orders', await fetchOrders())
}

/** The orders API receives no cookie: the token is the only credential it accepts. */
async function fetchOrders(): Promise<unknown> {
  try {
    return await (await login.fetchWithToken(`${ordersUrl}/orders`)).json()
  } catch {
    return { error: 'The orders API does not respond.' }
  }
}

/**
 * A name may contain characters that reverse the text direction; `<bdi>` limits them to their line.
 */
function showJson(selector: string, value: unknown): void {
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  const elements = lines.map((line) => {
    const element = document.createElement('bdi')
    element.textContent = line
    return element
  })
  find(selector).replaceChildren(...elements)
}

function find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector)
  if (!found) throw new Error(`The page has no ${selector}.`)
  return found
}
