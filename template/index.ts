import { createVestibule } from 'vestibule-auth'
import { TikTok } from 'vestibule-auth/providers'

const vestibule = createVestibule({
  providers: [TikTok],
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
