import {
  createContext,
  createElement,
  Fragment,
  type ReactElement,
  type ReactNode,
  useContext,
  useSyncExternalStore,
} from 'react'
import type { Client } from '../client/client.ts'
import type { SessionState } from '../client/session.ts'

/** Claims are chosen by the caller of `useSession`, and unknown to the context. */
// biome-ignore lint/suspicious/noExplicitAny: see above
const ClientContext = createContext<Client<any> | undefined>(undefined)

/** How many copies of this module there are, which do not know of each other's providers. */
const COPIES = Symbol.for('vestibule-auth/react')
const copies: number = (Reflect.get(globalThis, COPIES) ?? 0) + 1
Reflect.set(globalThis, COPIES, copies)

const LOADING: SessionState<never> = { status: 'loading' }

/**
 * Gives the components in it a client, which is created once, outside of components. All components
 * return elements, because older types of React 18 do not accept other nodes.
 */
export function VestibuleProvider(props: { client: Client; children?: ReactNode }): ReactElement {
  // React 18 cannot render the context itself.
  return createElement(ClientContext.Provider, { value: props.client }, props.children)
}

/** The client of the provider. */
export function useClient<Claims = unknown>(): Client<Claims> {
  const client = useContext(ClientContext)
  if (client) return client
  const count: number = Reflect.get(globalThis, COPIES)
  const others =
    count > 1
      ? ` There are ${count} copies of vestibule-auth/react, and a provider of another one does not count: run npm ls vestibule-auth, and let your bundler deduplicate it.`
      : ''
  throw new Error(`There is no <VestibuleProvider> around this component.${others}`)
}

/** The state of the session. The component is rendered again when it changes. */
export function useSession<Claims = unknown>(): SessionState<Claims> {
  const client = useClient<Claims>()
  return useSyncExternalStore(client.onChange, client.getState, () => LOADING)
}

/** Its children are shown while a user is signed in. */
export function SignedIn({ children }: { children?: ReactNode }): ReactElement | null {
  return useSession().status === 'signed-in' ? createElement(Fragment, null, children) : null
}

/** Its children are shown while it is known that no user is signed in. */
export function SignedOut({ children }: { children?: ReactNode }): ReactElement | null {
  return useSession().status === 'signed-out' ? createElement(Fragment, null, children) : null
}
