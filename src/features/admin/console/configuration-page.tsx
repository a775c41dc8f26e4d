import { DataTable, type Fact, Facts } from '../../../administration/console/console-parts.tsx'
import { DocumentName } from '../../../administration/console/document-name.tsx'
import { Notice } from '../../../core/pages/notice.tsx'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import { Problems } from './problems.tsx'

/** A provider as the deployment configures it. */
export interface ProviderView {
  id: string
  name: string
  type: string
  /** Whether its settings are complete. */
  isEnabled: boolean
  /** The redirect URI; absent if users sign in on pages of this service. */
  callbackUrl?: string
  credentials?: string
}

interface ConfigurationPageProps {
  /** The name of a provider that has just passed a test. */
  testedProvider: string | undefined
  problems: readonly string[]
  providers: readonly ProviderView[]
  languages: readonly { tag: string; name: string }[]
  theme: readonly Fact[]
  settings: readonly Fact[]
  mayTest: boolean
}

/** What can be changed only in the code and the settings of the deployment. */
export function ConfigurationPage(props: ConfigurationPageProps) {
  const { testedProvider, problems, providers, languages, theme, settings, mayTest } = props
  return (
    <>
      {testedProvider && (
        <Notice
          text={`${isolateTextDirection(testedProvider)} responds. Only a sign-in shows whether it accepts the credentials.`}
        />
      )}
      <Problems problems={problems} />
      <p>
        The code and the settings of the deployment have these values: change them there, and
        deploy. <DocumentName path="docs/configuration.md" /> describes them. Others are under{' '}
        <a href="/admin/administrators">Administrators</a>, <a href="/admin/clients">Clients</a> and{' '}
        <a href="/admin/apis">APIs</a>.
      </p>
      <DataTable
        caption="Providers"
        items={providers}
        columns={{
          Name: ({ name }) => ({ name }),
          ID: ({ id }) => id,
          Type: ({ type }) => type,
          State: ({ isEnabled }) => (isEnabled ? { good: 'enabled' } : { problem: 'disabled' }),
          Action: ({ id, callbackUrl }) =>
            callbackUrl &&
            mayTest && <a href={`/admin/configuration/${encodeURIComponent(id)}/test`}>Test</a>,
          Credentials: ({ credentials }) => credentials,
          'Redirect URI': ({ callbackUrl }) => callbackUrl && <code class="id">{callbackUrl}</code>,
        }}
      />
      <h2>Languages</h2>
      <p>{languages.map(({ tag, name }) => `${isolateTextDirection(name)} (${tag})`).join(', ')}</p>
      <h2>Theme</h2>
      {theme.some(([, value]) => Boolean(value)) ? (
        <Facts facts={theme} />
      ) : (
        <p>The default theme.</p>
      )}
      <h2>Settings and options</h2>
      <Facts facts={settings} />
    </>
  )
}
