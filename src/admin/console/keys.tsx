import type { AppContext } from '../../config/app-env.ts'
import { listKeys } from '../../tokens/manage-keys.ts'
import { consolePage } from './console-page.tsx'
import { KeysPage } from './keys-page.tsx'

export async function keys(c: AppContext): Promise<Response> {
  const list = await listKeys(c.env)
  return consolePage(c, { section: 'keys', title: 'Keys' }, <KeysPage {...list} />)
}
