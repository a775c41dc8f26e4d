import { options } from '../src/deployment.ts'
import worker from '../src/index.ts'
import { Passkey } from '../src/provider-exports.ts'
import { createVestibule } from '../src/vestibule.ts'

/*
 * The Worker that the tests run: the deployment of this repository, with object classes that also
 * have what local methods add to them, for the tests that start deployments with these.
 */

export default worker

export const {
  UserObject,
  KeyringObject,
  GuardObject,
  RevocationsObject,
  MetricsObject,
  ClientMetadataObject,
} = createVestibule({ ...options, providers: [...options.providers, Passkey()] }).objects
