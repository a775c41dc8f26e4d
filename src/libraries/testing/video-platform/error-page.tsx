import type { FC } from 'hono/jsx'
import { Layout } from './layout.tsx'

/** Explains the usual causes of an error to the developer of the app, by the parameter at fault. */
const HINTS: Readonly<Record<string, string>> = {
  client_key:
    'The client key is missing, unknown, or belongs to an app that is not live or has no Login Kit. The parameter is called client_key, not client_id.',
  response_type: 'The only response type is code.',
  redirect_uri:
    'The redirect URI must be exactly one of those registered for this client key. Sandbox and production have separate lists.',
  scope:
    'A scope is not approved for this app, or the scopes are not joined by commas without spaces.',
  code_challenge:
    'A loopback redirect URI requires a code_challenge: the SHA-256 of the verifier in hex.',
  code_challenge_method: 'The only challenge method is S256.',
  non_sandbox_target:
    'This persona is not a target user of the sandbox. Go back and choose another one.',
}

/**
 * Where an invalid authorization request ends. Nothing is returned to the app, so all details are
 * shown here.
 */
export const ErrorPage: FC<{ details: URLSearchParams }> = ({ details }) => {
  const errorType = details.get('error_type') ?? ''
  return (
    <Layout title="Something went wrong">
      <h1>Something went wrong</h1>
      <p>We could not log you in. This may be due to the settings of the app: {errorType}.</p>
      <p class="muted">{HINTS[errorType] ?? 'The request is invalid.'}</p>
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
