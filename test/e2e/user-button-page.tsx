/** @jsxImportSource react */
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient, defineUserButton } from '../../src/client.ts'
import type {} from '../../src/react.ts' // The type of the element in JSX.

/** A page that configures the element after it was inserted, and has a client of its own. */
function Page() {
  const [clientId, setClientId] = useState<string>()
  const [signOut, setSignOut] = useState<string>()
  return (
    <main>
      <h1>A frontend</h1>
      <button type="button" onClick={() => setClientId('frontend')}>
        Configure
      </button>
      <button type="button" onClick={() => setSignOut('Log out')}>
        Rename
      </button>
      <vestibule-user-button url={url} client-id={clientId} text-sign-out={signOut} />
    </main>
  )
}

const { login: url = '' } = document.documentElement.dataset
defineUserButton()
window.client = createClient({ url, clientId: 'frontend' })
const root = document.body.appendChild(document.createElement('div'))
createRoot(root).render(<Page />)
