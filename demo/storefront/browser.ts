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
    part.hidden = !part.dataset['status']?.split(' ').includes(status)
  }
  find('#orders-error').hidden = true
  if (session) void greet(session)
  else find('#order-list').replaceChildren()
})

async function greet({ user, claims }: Session): Promise<void> {
  find('#name').textContent = user.name ?? user.username ?? user.email ?? 'there'
  showJson('#claims', claims)
  const response = await fetchOrders()
  showJson('#orders', response)
  find('#order-list').replaceChildren(...(response.orders ?? []).map(orderCard))
  find('#orders-error').hidden = response.orders !== undefined
}

interface Order {
  id: string
  item: string
  status: string
}

interface OrdersResponse {
  orders?: Order[]
  error?: string
}

/** The orders API receives no cookie: the token is the only credential it accepts. */
async function fetchOrders(): Promise<OrdersResponse> {
  try {
    return await (await login.fetchWithToken(`${ordersUrl}/orders`)).json()
  } catch {
    return { error: 'The orders API does not respond.' }
  }
}

function orderCard({ id, item, status }: Order): Node {
  const card = find<HTMLTemplateElement>('#order').content.cloneNode(true) as DocumentFragment
  const picture = document.querySelector(`[data-product="${CSS.escape(item)}"] .picture`)
  if (picture) card.querySelector('.order-picture')?.append(picture.cloneNode(true))
  const texts = { '.item': item, '.number': `Order ${id}`, '.status': status }
  for (const [selector, text] of Object.entries(texts)) {
    const element = card.querySelector<HTMLElement>(selector)
    if (element) element.textContent = text
  }
  card.querySelector('.status')?.setAttribute('data-order-status', status)
  return card
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
