import { options } from '../../../src/deployment.ts'
import type {
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
} from '../../../src/provider-interface/local-types.ts'
import { Email } from '../../../src/providers.ts'
import { createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'
import { Browser, issuedSecrets, serviceOf } from '../../browser.ts'

/** A deployment with email sign-in, and the messages it has sent, the oldest first. */
export function emailService(
  changes: EmailUserConfig = {},
  { settings = {}, callbacks = {}, events = {}, providers = [] }: EmailServiceOptions = {},
) {
  const sent: EmailProviderSendVerificationRequestParams[] = []
  const email = Email({
    from: 'Acme <login@acme.example>',
    sendVerificationRequest(params) {
      sent.push(params)
      for (const secret of [params.url, params.identifier]) issuedSecrets.add(secret)
    },
    ...changes,
  })
  const vestibule = createVestibule({
    ...options,
    providers: [...options.providers, ...providers, email],
    callbacks,
    events,
  })
  const service = serviceOf(vestibule, settings)
  return { sent, service, browser: () => new Browser(service) }
}

interface EmailServiceOptions {
  settings?: Record<string, unknown>
  callbacks?: VestibuleOptions['callbacks']
  events?: VestibuleOptions['events']
  /** Besides TikTok. */
  providers?: VestibuleOptions['providers']
}

/** An address that no other test uses. */
export function newAddress(): string {
  return `${crypto.randomUUID().slice(0, 13)}@mail.example`
}

/** Requests a message, and returns the path of the page that waits for the code. */
export async function requestMessage(
  browser: Browser,
  address: string,
  form: Record<string, string> = {},
): Promise<string> {
  const response = await browser.post('/api/auth/signin/email', { email: address, ...form })
  return response.headers.get('Location') ?? ''
}

/** Confirms by email that the signed-in user may change their account. */
export async function confirmByEmail(
  browser: Browser,
  address: string,
  sent: readonly EmailProviderSendVerificationRequestParams[],
): Promise<void> {
  const form = { prompt: 'login', callbackUrl: '/account/link' }
  const page = await requestMessage(browser, address, form)
  await browser.post(page, { code: sent.at(-1)?.token ?? '' })
}

/** A code that is not this one. */
export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}
