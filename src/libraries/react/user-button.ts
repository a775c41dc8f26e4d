import {
  createElement,
  type DetailedHTMLProps,
  type HTMLAttributes,
  type ReactElement,
  useEffect,
  useRef,
} from 'react'
import type { Client } from '../client/client.ts'
import {
  defineUserButton,
  USER_BUTTON,
  type UserButtonAttributes,
  type UserButtonElement,
} from '../client/user-button.ts'
import { useClient } from './provider.ts'

type ElementProps = DetailedHTMLProps<HTMLAttributes<UserButtonElement>, UserButtonElement>

/** The element in JSX. React 18 passes `class` on, but neither `className` nor `client`. */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'vestibule-user-button': ElementProps &
        UserButtonAttributes & { class?: string | undefined; client?: Client | undefined }
    }
  }
}

export interface UserButtonProps {
  className?: string | undefined
  /** Instead of the English texts. */
  texts?:
    | { signIn?: string | undefined; account?: string | undefined; signOut?: string | undefined }
    | undefined
}

/** A button to sign in, or the user with a menu: the element `<vestibule-user-button>`. */
export function UserButton({ className, texts = {} }: UserButtonProps): ReactElement {
  const client = useClient()
  const element = useRef<UserButtonElement>(null)
  useEffect(() => {
    defineUserButton()
    if (element.current) element.current.client = client
  }, [client])
  return createElement(USER_BUTTON, {
    ref: element,
    class: className,
    'text-sign-in': texts.signIn,
    'text-account': texts.account,
    'text-sign-out': texts.signOut,
  })
}
