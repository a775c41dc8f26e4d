import { TikTok } from '../src/providers.ts'
import { createVestibule } from '../src/vestibule.ts'

/* The core alone: one provider and no feature. */

const vestibule = createVestibule({ providers: [TikTok] })

export default vestibule.worker

export const { UserObject, KeyringObject, GuardObject, RevocationsObject, ClientMetadataObject } =
  vestibule.objects
