import { mayUse } from '../../../administration/console/authorization.ts'
import { consolePage } from '../../../administration/console/console-response.tsx'
import type { ConsoleSection } from '../../../administration/console/section.ts'
import { listKeys } from '../../../administration/manage-keys.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import { KeysPage } from './keys-page.tsx'

/** The signing keys. */
export const KEYS: ConsoleSection = {
  id: 'keys',
  label: 'Keys',
  icon: 'M12 15a4 4 0 1 1-8 0 4 4 0 0 1 8 0M11 12l9-9m-4 4 3 3',
  group: 'Service',
  noun: 'key',
  addRoutes: (routes) => void routes.get('/keys', showKeys),
}

async function showKeys(c: AppContext): Promise<Response> {
  const list = await listKeys(c.env)
  return consolePage(
    c,
    { section: 'keys', title: 'Keys' },
    <KeysPage {...list} mayRotate={mayUse(c, OPERATIONS.rotateKeys)} />,
  )
}
