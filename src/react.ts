'use client'

export {
  SignedIn,
  SignedOut,
  useClient,
  useSession,
  VestibuleProvider,
} from './react/provider.ts'
export { UserButton, type UserButtonProps } from './react/user-button.ts'
