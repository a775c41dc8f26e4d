import { createElement, type ReactNode, useEffect, useRef } from 'react'
import { defineUserButton, USER_BUTTON, type UserButtonElement } from '../client/user-button.ts'
import { useClient } from './provider.ts'

export interface UserButtonProps {
  className?: string
  /** Instead of the English texts. */
  texts?: { signIn?: string; account?: string; signOut?: string }
}

/** A button to sign in, or the user with a menu: the element `<vestibule-user-button>`. */
export function UserButton({ className, texts = {} }: UserButtonProps): ReactNode {
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
