import { createVestibule } from 'vestibule'
import { TikTok } from 'vestibule/providers'

const vestibule = createVestibule({
  providers: [TikTok],
})

export default vestibule.worker

export const { UserObject, KeyringObject, GuardObject } = vestibule.objects
