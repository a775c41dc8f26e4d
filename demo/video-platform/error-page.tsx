import type { FC } from 'hono/jsx'
import { Layout } from './layout.tsx'

/** Why each faulty parameter is usually refused, for the engineer who landed here. */
const HINTS: Readonly<Record<string, string>> = {
  client_key:
    'The client key is missing, unknown, or belongs to an app that is not live or has no Login Kit. The parameter is called client_key, not client_id.',
  response_type: 'The only response type is code.',
  redirect_uri:
    'The redirect URI is not registered for this client key, letter for letter. Sandbox and production have lists of their own.',
  scope:
    'A scope is not approved for this app, or the scopes are not joined by a comma without spaces.',
  code_challenge: 'A loopback redirect needs a code_challenge: the hex SHA-256 of the verifier.',
  code_challenge_method: 'The only challenge method is S256.',
  non_sandbox_target:
    'This persona is no target user of the sandbox. Go back and choose another one.',
}

/** The dead end of a wrong request: nothing reaches the app, all there is to know is here. */
export const ErrorPage: FC<{ details: URLSearchParams }> = ({ details }) => {
  const errorType = details.get('error_type') ?? ''
  return (
    <Layout title="Something went wrong">
      <h1>Something went wrong</h1>
      <p>We could not log you in. This may be due to the settings of the app: {errorType}.</p>
      <p class="soft">{HINTS[errorType] ?? 'The request was not understood.'}</p>
      <dl>
        {['error', 'error_type', 'errCode', 'logid'].map((name) => (
          <Detail name={name} value={details.get(name)} />
        ))}
      </dl>
    </Layout>
  )
}

const Detail: FC<{ name: string; value: string | null }> = ({ name, value }) =>
  value === null ? null : (
    <>
      <dt>{name}</dt>
      <dd data-testid={name}>{value}</dd>
    </>
  )
