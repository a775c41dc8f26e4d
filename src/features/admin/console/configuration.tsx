import { mayUse } from '../../../administration/console/authorization.ts'
import type { Fact } from '../../../administration/console/console-parts.tsx'
import { consolePage } from '../../../administration/console/console-response.tsx'
import type { ConsoleSection } from '../../../administration/console/section.ts'
import type { Config } from '../../../core/config/config.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import { formatUnit } from '../../../core/pages/format.ts'
import { enabledProviders } from '../../../core/upstream/enabled-providers.ts'
import { formatProblem } from '../../../foundation/values/problem.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import { ConfigurationPage, type ProviderView } from './configuration-page.tsx'

const DAY = 24 * 3600 // seconds

/** What the deployment configures, without secrets. */
export const CONFIGURATION: ConsoleSection = {
  id: 'configuration',
  label: 'Configuration',
  icon: 'M4 7h10m4 0h2M4 17h2m4 0h10M18 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0M10 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0',
  group: 'Service',
  noun: 'provider',
  addRoutes(routes) {
    routes.get('/configuration', (c) => showConfiguration(c, undefined))
  },
  readSubject: readProvider,
  // After a test that the provider has passed.
  respond: async (c) => {
    const tested = viewProviders(c.get('config')).find(({ id }) => id === c.req.param('id'))
    return showConfiguration(c, tested?.name)
  },
}

function showConfiguration(c: AppContext, testedProvider: string | undefined): Promise<Response> {
  const config = c.get('config')
  return consolePage(
    c,
    { section: 'configuration', title: 'Configuration' },
    <ConfigurationPage
      testedProvider={testedProvider}
      problems={config.problems.map(formatProblem)}
      providers={viewProviders(config)}
      languages={Array.from(config.languages.values(), ({ tag, name }) => ({ tag, name }))}
      theme={describeTheme(config)}
      settings={describeSettings(config)}
      mayTest={mayUse(c, OPERATIONS.testProvider)}
    />,
  )
}

async function readProvider(c: AppContext, id: string) {
  const provider = viewProviders(c.get('config')).find((other) => other.id === id)
  if (!provider?.callbackUrl) return undefined
  const facts: Fact[] = [
    ['Provider', provider.name],
    ['Redirect URI', { code: provider.callbackUrl }],
  ]
  return { link: { href: '/admin/configuration', label: provider.name }, facts }
}

function viewProviders(config: Config): ProviderView[] {
  const { issuer, localProviders, disabledProviders } = config
  return [
    ...enabledProviders(config).map(({ id, name, type, callbackUrl, clientSecrets }) => ({
      id,
      name,
      type,
      isEnabled: true,
      callbackUrl,
      credentials: clientSecrets.length > 0 ? 'ID and secret set' : 'ID set, no secret',
    })),
    ...localProviders.map(({ id, name, type }) => ({ id, name, type, isEnabled: true })),
    ...disabledProviders.map(({ id, name, type }) => ({
      id,
      name,
      type,
      isEnabled: false,
      ...(['oauth', 'oidc'].includes(type) && { callbackUrl: `${issuer}/api/auth/callback/${id}` }),
    })),
  ]
}

/** The options of the theme that are set. */
function describeTheme({ theme: { logo, css, ...theme } }: Config): Fact[] {
  return [
    ...Object.entries(theme).map(([name, value]): Fact => [name, describeValue(value)]),
    ['logo', logo && 'set'],
    ['css', css && 'set'],
  ]
}

/** Of secrets, only that they are set. */
function describeSettings(config: Config): Fact[] {
  const { redirectProxy, lifetimes, declaredSettings } = config
  return [
    ['AUTH_URL', config.issuer],
    ['AUTH_SECRET', 'set'],
    ['AUTH_AUDIT_DAYS', config.auditRetention / DAY],
    ['AUTH_REDIRECT_PROXY_URL', redirectProxy.url],
    ['AUTH_REDIRECT_PROXY_ORIGINS', redirectProxy.origins.join(' ')],
    ['AUTH_REDIRECT_PROXY_SECRET', redirectProxy.seal && 'set'],
    // Some of them are secrets.
    ...Object.keys(declaredSettings).map((name): Fact => [name, 'set']),
    ['contact', config.contact],
    ['features', config.features.map(({ id }) => id).join(', ')],
    ['callbacks', describeFunctions(config.callbacks)],
    ['events', describeFunctions(config.events)],
    ...Object.entries(lifetimes).map(([name, value]): Fact => [name, formatSeconds(value)]),
  ]
}

/** In the largest unit that divides it, such as "30 days". */
function formatSeconds(seconds: number): string {
  const units = { day: DAY, hour: 3600, minute: 60, second: 1 }
  const [unit = 'second', length = 1] =
    Object.entries(units).find(([, length]) => seconds > 0 && seconds % length === 0) ?? []
  return formatUnit(seconds / length, unit as keyof typeof units, 'en')
}

function describeFunctions(functions: object): string {
  return Object.entries(functions)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
    .join(', ')
}

function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${part}`)
    .join(', ')
}
