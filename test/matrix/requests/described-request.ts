import { Browser } from '../../browser.ts'
import { DAY, HOUR, setClock } from '../../clock.ts'
import { signInNewUser } from '../../new-user.ts'
import { newIsolate, type Service } from '../isolate.ts'

/** A request that is ready to be sent, once. */
export interface PreparedRequest {
  send(service: Service): Promise<Response>
  /** Whether what the request changes is stored. Absent for a request that changes nothing. */
  isStored?(): Promise<boolean>
}

/** A request of the matrix. */
export interface DescribedRequest {
  /** As the app lists it. */
  route: string
  /** What is special about it, if the route has several. */
  variant?: string
  prepare(): Promise<PreparedRequest>
  /** Removes copies that the isolates of the matrix share, because they are in one process. */
  forgetCopies?(): void
  /**
   * A request that is repeated after its answer was lost is refused, because it can be used once, and
   * what it has stored is removed, unless it is kept.
   */
  isSingleUse?: true | 'kept'
  /** The response says whether this part works. */
  reports?: 'provider'
  /** The response is an error. */
  isError?: true
}

/** The browser with its cookies, at another isolate. */
export function at(service: Service, browser: Browser): Browser {
  return new Browser(service).withCookiesOf(browser)
}

/** A user who has just signed in. */
export function newUser() {
  return signInNewUser(new Browser(newIsolate()))
}

/** A GET request of a page or document that needs no preparation. */
export function open(route: string, path = route.split(' ')[1] ?? ''): DescribedRequest {
  return {
    route,
    prepare: async () => ({ send: (service) => new Browser(service).get(path) }),
  }
}

/** A GET request of a signed-in user. */
export function openSignedIn(
  route: string,
  findPath: (browser: Browser) => string | Promise<string> = () => route.split(' ')[1] ?? '',
): DescribedRequest {
  return {
    route,
    async prepare() {
      const { browser } = await newUser()
      const path = await findPath(browser)
      return { send: (service) => at(service, browser).get(path) }
    },
  }
}

let documentsAt = 0

/** Lets the copies of providers' documents expire, which all isolates of the matrix share. */
export function forgetDocuments(): void {
  documentsAt = Math.max(documentsAt, Date.now() / 1000) + DAY + HOUR
  setClock(documentsAt)
}

/** Creates something that all requests share. */
export function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined
  return () => {
    created ??= create()
    return created
  }
}
