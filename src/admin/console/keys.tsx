import type { AppContext } from '../../http/app-env.ts'
import { KeysPage } from '../../pages/admin/keys-page.tsx'
import { listKeys } from '../../tokens/manage-keys.ts'
import { consolePage } from './console-page.tsx'

export async function keys(c: AppContext): Promise<Response> {
  const list = await listKeys(c.env)
  return consolePage(c, { section: 'keys', title: 'Keys' }, <KeysPage {...list} />)
}
