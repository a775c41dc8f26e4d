import type { LoaderFunctionArgs } from 'react-router'
import { authContext } from './session'

export function loader({ context }: LoaderFunctionArgs) {
  return { name: context.get(authContext).session?.user.name }
}

export default function Home({ loaderData: { name } }: { loaderData: { name?: string } }) {
  if (!name) return <a href="/auth/signin?returnTo=/">Sign in</a>
  return (
    <form method="post" action="/auth/signout">
      Hello, {name} <button>Sign out</button>
    </form>
  )
}
