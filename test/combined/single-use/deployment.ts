import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { validateOptions } from '../../../src/core/config/options.ts'
import { readEnglish } from '../../../src/core/messages/english.ts'
import { Email, Oidc } from '../../../src/providers.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, issuedSecrets, serviceOf } from '../../browser.ts'
import { AppProvider, OWN_APP, SDK_REDIRECT_URI } from '../../features/native-apps/native-app.ts'
import { signInByName } from '../../features/totp/totp-browser.ts'
import { optionalOptions } from '../../features/totp/totp-deployment.ts'
import { registeredClients } from '../../registered-clients.ts'

export type Service = ReturnType<typeof serviceOf>

/** What was sent to an address. */
export const messages = new Map<string, { code: string; url: string }>()

/** For how many seconds a message can be used, which is less than an attempt. */
export const MESSAGE_LIFETIME = 300

const email = Email({
  from: 'Acme <login@acme.example>',
  maxAge: MESSAGE_LIFETIME,
  sendVerificationRequest({ identifier, token: code, url }) {
    messages.set(identifier, { code, url })
    for (const secret of [identifier, url]) issuedSecrets.add(secret)
  },
})

/** It accepts a code as often as it is sent, so that only the service can reject the second time. */
const lenient = Oidc({
  id: 'lenient',
  name: 'Lenient',
  issuer: 'https://hostile.example/plain',
  clientId: 'our-client',
  clientSecret: 'our-secret-Kq7vR2',
})

const options = { ...optionalOptions, providers: [...optionalOptions.providers, email, lenient] }

/** What its features seal. */
export const sealedByFeatures = validateOptions(options, readEnglish).declared.features.flatMap(
  ({ seals = [] }) => seals,
)

/** The provider whose SDK returns ID tokens to apps. */
export const appProvider = await new AppProvider().start()

const settings = {
  ...appProvider.settings(),
  AUTH_OIDC_APP_NONCE: 'optional',
  AUTH_TIKTOK_APP_REDIRECT_URI: SDK_REDIRECT_URI,
  CLIENTS: [...registeredClients, OWN_APP],
}

/**
 * A deployment with every way to sign in and every feature. Its objects are those of other
 * deployments of the tests; it knows which ones it has called.
 */
export class Deployment {
  readonly #called = new Map<string, DurableObjectStub>()
  /** One that handles all requests for which it does not matter which one does. */
  readonly isolate = this.newIsolate()

  /** Nothing is cached in it yet. */
  newIsolate(changes: Record<string, unknown> = {}): Service {
    const USERS = this.#remember(env.TEST_TOTP_USERS)
    const GUARDS = this.#remember(env.GUARDS)
    return serviceOf(createVestibule(options), { ...settings, USERS, GUARDS, ...changes })
  }

  /** A browser in which a new user is signed in. */
  async signedIn(service = this.isolate): Promise<Browser> {
    const browser = new Browser(service)
    await signInByName(browser, `user-${crypto.randomUUID()}`)
    return browser
  }

  /** Runs the alarm of each object, whose time it may not be yet. */
  async cleanUp(): Promise<void> {
    for (const object of this.#called.values()) {
      await runInDurableObject(object, (instance) => instance.alarm?.())
    }
  }

  /** Starts each object again: what it had in memory only is lost. */
  async restartObjects(): Promise<void> {
    await Promise.all(Array.from(this.#called.values(), (object) => evictDurableObject(object)))
  }

  #remember<Namespace extends DurableObjectNamespace>(namespace: Namespace): Namespace {
    return new Proxy(namespace, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        if (name !== 'get') return member.bind(target)
        return (id: DurableObjectId) => {
          const object = target.get(id)
          this.#called.set(id.toString(), object)
          return object
        }
      },
    })
  }
}
