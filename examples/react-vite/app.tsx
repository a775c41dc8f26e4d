import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from 'vestibule-auth/client'
import {
  SignedIn,
  SignedOut,
  UserButton,
  useSession,
  VestibuleProvider,
} from 'vestibule-auth/react'

const login = createClient({
  url: import.meta.env.VITE_LOGIN_URL ?? 'https://login.example.com',
  clientId: 'shop',
})
const api = import.meta.env.VITE_API_URL ?? 'https://api.example.com'

function Orders() {
  const { session } = useSession()
  const [orders, setOrders] = useState('')
  async function load() {
    const response = await login.fetchWithToken(`${api}/orders`)
    setOrders(await response.text())
  }
  return (
    <>
      <p>Hello, {session?.user.name}</p>
      <button onClick={load}>Your orders</button>
      <p>{orders}</p>
    </>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <VestibuleProvider client={login}>
      <UserButton />
      <SignedIn>
        <Orders />
      </SignedIn>
      <SignedOut>Sign in to see your orders.</SignedOut>
    </VestibuleProvider>
  </StrictMode>,
)
