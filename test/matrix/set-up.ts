import { OPEN_SETTINGS } from '../features/agents/unregistered-app.ts'
import { sha256Hex } from '../sha256-hex.ts'
import { faultyFetch } from './faults.ts'
import { addSettings, clients } from './isolate.ts'
import { ADMIN_MACHINE, createAdministrator } from './requests/admin.ts'
import { appProvider, MACHINE_SECRET, SETTINGS_API, SETTINGS_MACHINE } from './requests/oidc.ts'

/** Prepares the deployment: its machines, its OpenID Provider and its administrator. */
export async function setUpDeployment(): Promise<void> {
  const client_secrets_sha256 = [await sha256Hex(MACHINE_SECRET)]
  for (const machine of [SETTINGS_MACHINE, ADMIN_MACHINE]) {
    clients.push({ ...machine, client_secrets_sha256 })
  }
  const { CLIENTS: _, ...providerSettings } = (await appProvider.start()).settings()
  addSettings({ ...providerSettings, APIS: [...OPEN_SETTINGS.APIS, SETTINGS_API] })
  addSettings({ AUTH_ADMINS: await createAdministrator() })
  const hosts = ['open.tiktokapis.com', 'git.example', 'hostile.example', 'api.hostile.example']
  hosts.push(new URL(appProvider.issuer).hostname)
  globalThis.fetch = faultyFetch(fetch, (host) => hosts.includes(host))
}
