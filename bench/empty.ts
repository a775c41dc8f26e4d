import { DurableObject } from 'cloudflare:workers'

/* A worker that does nothing, with the object classes that the others bind. */

export default { fetch: () => new Response('nothing') }

export class UserObject extends DurableObject {}
export class KeyringObject extends DurableObject {}
export class GuardObject extends DurableObject {}
export class RevocationsObject extends DurableObject {}
export class MetricsObject extends DurableObject {}
export class ClientMetadataObject extends DurableObject {}
