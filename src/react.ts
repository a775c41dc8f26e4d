'use client'

export {
  SignedIn,
  SignedOut,
  useClient,
  useSession,
  VestibuleProvider,
} from './libraries/react/provider.ts'
export { UserButton, type UserButtonProps } from './libraries/react/user-button.ts'
