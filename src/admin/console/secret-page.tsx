import type { AppContext } from '../../config/app-env.ts'
import { SecretPage } from './confirm-page.tsx'
import { consolePage } from './console-page.tsx'
import type { TrailLink } from './console-parts.tsx'
import type { RegistrationKind } from './registration-kinds.ts'

interface NewSecret {
  id: string
  secret: string
  link: TrailLink
  isReplacement: boolean
}

/** The page that shows a secret, once. */
export function secretPage(
  c: AppContext,
  { section, store }: RegistrationKind,
  { link, ...secret }: NewSecret,
): Promise<Response> {
  const title = `${secret.isReplacement ? 'New secret' : 'Secret'} of ${link.label}`
  const page = <SecretPage {...secret} idField={store.table.idField} back={link.href} />
  return consolePage(c, { section, title, trail: [link] }, page)
}
