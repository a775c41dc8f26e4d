import { createVestibule } from 'vestibule-auth'
import { admin } from 'vestibule-auth/features'
import { TikTok } from 'vestibule-auth/providers'
import { pin } from './pin.ts'
import { terms } from './terms.ts'

const vestibule = createVestibule({
  providers: [TikTok],
  features: [admin(), terms, pin],
})

export default vestibule.worker

export const {
  UserObject,
  KeyringObject,
  GuardObject,
  RevocationsObject,
  MetricsObject,
  ClientMetadataObject,
} = vestibule.objects
