import { createVestibule } from 'vestibule-auth'
import { admin, device } from 'vestibule-auth/features'
import { TikTok } from 'vestibule-auth/providers'

const vestibule = createVestibule({
  providers: [TikTok],
  features: [admin(), device()],
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
