import type { AppContext } from '../../core/http/app-env.ts'
import { REGISTRATION_PATH } from './paths.ts'
import { sealOffer } from './sealed-values.ts'
import { ALGORITHMS } from './signed-challenge.ts'

/** Browsers that cannot bind a session ignore the header, and http. */
export async function offerRegistration(
  c: AppContext,
  opened: { userId: string; secretDigest: string },
): Promise<void> {
  const challenge = await sealOffer(c.get('config').seal, opened)
  c.header(
    'Secure-Session-Registration',
    `(${ALGORITHMS.join(' ')});path="${REGISTRATION_PATH}";challenge="${challenge}"`,
  )
}
