import { options } from '../src/deployment.ts'
import worker from '../src/index.ts'
import { Email, Passkey } from '../src/providers.ts'
import { createVestibule } from '../src/vestibule.ts'
import { stepped } from './define-feature/stepped-deployment.ts'
import { bound } from './features/device-bound/bound-deployment.ts'
import { demanding, optional } from './features/totp/totp-deployment.ts'

/*
 * The Worker that the tests run: the deployment of this repository, with object classes that also
 * have what local methods add to them, for the tests that start deployments with these. Their
 * sessions need no step, so that deployments without the features that ask for one can be tested;
 * the last ones are for the tests of steps.
 */

const EMAIL = Email({ from: 'login@acme.example', sendVerificationRequest() {} })

export default worker

export const {
  UserObject,
  KeyringObject,
  GuardObject,
  RevocationsObject,
  MetricsObject,
  ClientMetadataObject,
} = createVestibule({ ...options, providers: [...options.providers, EMAIL, Passkey()] }).objects

export const { UserObject: SteppedUserObject } = stepped.objects
export const { UserObject: BoundUserObject } = bound.objects
export const { UserObject: TotpUserObject } = optional.objects
export const { UserObject: DemandedTotpUserObject } = demanding.objects
