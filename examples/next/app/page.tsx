import { headers } from 'next/headers'
import { Suspense } from 'react'
import { login } from '../login'

// With Cache Components, Next.js requires Suspense around what depends on a request.
export default function Page() {
  return (
    <Suspense>
      <Greeting />
    </Suspense>
  )
}

async function Greeting() {
  const session = await login.getSession({ headers: await headers() })
  if (!session) return <a href="/auth/signin?returnTo=/">Sign in</a>
  return (
    <form method="post" action="/auth/signout">
      Hello, {session.user.name} <button>Sign out</button>
    </form>
  )
}
