import { Hono } from 'hono'
import * as z from 'zod/mini'
import { accountLink } from '../../core/account/account-link.ts'
import { ATTEMPT_LIFETIME } from '../../core/config/lifetimes.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { requireFirstPartyPost, requireOwnPage } from '../../core/http/cross-origin.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import { rejectPrefetch } from '../../core/http/fetch-metadata.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { validateForm, validateQuery } from '../../core/http/validate.ts'
import {
  attemptInteraction,
  type Interaction,
  interactionClient,
  signInUrl,
} from '../../core/interaction/interaction.ts'
import { withTexts } from '../../core/messages/messages.ts'
import { count } from '../../core/metrics/count.ts'
import { continueAt } from '../../core/pages/continue-page.tsx'
import { messagesFor, respondWithPage, wantsPage } from '../../core/pages/page-response.tsx'
import { describeDevice, describeOrigin } from '../../core/session/device.ts'
import { rememberAccount } from '../../core/session/known-browser.ts'
import { limitRequests } from '../../core/session/limit-requests-by-user.ts'
import {
  type Attempt,
  cookieSuffix,
  keepAttempt,
  readAttempt,
  takeAttempt,
} from '../../core/signin/attempt.ts'
import { finishSignIn } from '../../core/signin/finish-sign-in.ts'
import {
  readSignInRequest,
  type SignInRequest,
  sameSignInUrl,
  signInInput,
} from '../../core/signin/start-sign-in.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { type SignInMethod, toSignInMethod } from '../../core/upstream/sign-in-methods.ts'
import {
  otherMethodsUrl,
  pathBeforeLinking,
  signInFields,
  startLocalSignIn,
} from '../../define-feature/local-sign-in.ts'
import { isSameSecret } from '../../foundation/crypto/compare.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { openUnexpired, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { MAX_EMAIL_LENGTH } from '../../foundation/values/email-address.ts'
import type { EmailConfig } from '../../provider-interface/local-types.ts'
import { normalizeIdentifier, toAccountId } from './address.ts'
import { resolveBrand } from './brand.ts'
import { createCode, readCode } from './code.ts'
import { type CodeResult, codeGuard } from './code-guard.ts'
import { composeMessage } from './message.tsx'
import type { METRICS } from './metrics.ts'
import { AddressForm, CodePage, ElsewherePage, LinkPage } from './pages.tsx'
import { repeatSignIn } from './repeat-sign-in.ts'
import { countMessage, countRepeatedMessage, RESEND_DELAY } from './send-limits.ts'
import { sendMessage } from './send-message.ts'
import { DEFAULT_NAME } from './style.ts'
import type { en } from './texts.ts'

/** What the links of messages are sealed for. */
export const SEAL = 'email'

/** The limits of messages depend on it: see send-limits.ts. */
const MAX_WRONG_CODES = 5

/** A browser that sends the same code again within this time gets the same session. */
const REPEAT_PERIOD = 60 // seconds

const addressInput = z.object({ ...signInInput.shape, email: z.string() })
const codeInput = z.object({ code: z.string().check(z.maxLength(64)) })
const linkInput = z.object({ token: z.string().check(z.maxLength(1024)) })

/** What the cookie of an attempt contains: it is sealed, so that nobody else can read the code. */
interface EmailAttempt extends Attempt {
  local: { address: string; code: string; linkSecret: string; expiresAt: string }
}

/** A sign-in is requested, then finished with the code or the link of the message. */
export function createEmailRoutes(provider: EmailConfig): Hono<AppEnv> {
  const signInPath = `/api/auth/signin/${provider.id}`
  const callbackPath = `/api/auth/callback/${provider.id}`
  const flow = new EmailFlow(provider, signInPath, callbackPath)
  return (
    new Hono<AppEnv>()
      .use(signInPath, rejectPrefetch, limitRequests)
      .use(`${signInPath}/:attempt`, rejectPrefetch, limitRequests)
      .use(`${signInPath}/:attempt/again`, limitRequests)
      .use(callbackPath, rejectPrefetch, limitRequests)

      .get(signInPath, validateQuery(signInInput), async (c) => {
        const input = c.req.valid('query')
        const path = await pathBeforeLinking(c, input)
        if (path) return c.redirect(path)
        return flow.showAddressForm(c, await readSignInRequest(c, input))
      })
      .post(signInPath, requireFirstPartyPost, validateForm(addressInput), async (c) => {
        const { email, ...input } = c.req.valid('form')
        return flow.start(c, await readSignInRequest(c, input), email)
      })
      .get(`${signInPath}/:attempt`, async (c) =>
        flow.showCodeForm(c, await flow.requireAttempt(c, c.req.param('attempt'))),
      )
      .post(`${signInPath}/:attempt`, requireOwnPage, validateForm(codeInput), async (c) => {
        const attempt = await flow.requireAttempt(c, c.req.param('attempt'))
        return flow.useCode(c, attempt, c.req.valid('form').code)
      })
      .post(`${signInPath}/:attempt/again`, requireOwnPage, async (c) =>
        flow.sendAgain(c, await flow.requireAttempt(c, c.req.param('attempt'))),
      )

      // A link opens a page. Only the button of that page uses it, so that programs that open every
      // link of a message do not.
      .get(callbackPath, validateQuery(linkInput), (c) =>
        flow.showLink(c, c.req.valid('query').token),
      )
      .post(callbackPath, requireOwnPage, validateForm(linkInput), (c) =>
        flow.useLink(c, c.req.valid('form').token),
      )
  )
}

/** The steps of signing in through one provider. */
class EmailFlow {
  readonly #provider: EmailConfig
  readonly #method: SignInMethod
  readonly #signInPath: string
  readonly #callbackPath: string

  constructor(provider: EmailConfig, signInPath: string, callbackPath: string) {
    this.#provider = provider
    this.#method = toSignInMethod(provider)
    this.#signInPath = signInPath
    this.#callbackPath = callbackPath
  }

  /** The page that asks for an address. */
  async showAddressForm(
    c: AppContext,
    input: SignInRequest,
    rejected: { value?: string; isInvalid?: boolean; wait?: number; status?: number } = {},
  ): Promise<Response> {
    const messages = withTexts<typeof en>(await messagesFor(c))
    const { name } = this.#provider
    const title =
      name === DEFAULT_NAME
        ? messages.t('email.address.title')
        : messages.t('signIn.signInWith', { provider: name })
    const { value, isInvalid, wait, status = 200 } = rejected
    return respondWithPage(
      c,
      <AddressForm
        messages={messages}
        action={this.#signInPath}
        fields={await signInFields(c, input)}
        name={name}
        value={value}
        isInvalid={isInvalid}
        wait={wait}
        isLinking={input.link !== undefined}
        otherMethodsUrl={otherMethodsUrl(c, input)}
        isOnlyContent
      />,
      {
        title: input.link ? messages.t('email.address.linkTitle') : title,
        status,
        client: await interactionClient(c, input.interaction),
        repeatAt: sameSignInUrl(input, `/signin/${this.#provider.id}`),
      },
    )
  }

  /**
   * Starts an attempt and sends its message. Whether the address is that of a user is not looked
   * up, so that the response cannot reveal it.
   */
  async start(c: AppContext, input: SignInRequest, email: string): Promise<Response> {
    const address = normalizeIdentifier(this.#provider, email)
    if (address === undefined) {
      if (!wantsPage(c)) throw new SignInError('request_invalid', { parameter: 'email' })
      const value = email.slice(0, MAX_EMAIL_LENGTH)
      return this.showAddressForm(c, input, { value, isInvalid: true, status: 400 })
    }
    const wait = await countMessage(c, this.#provider.id, address)
    if (wait > 0) {
      count<typeof METRICS>('vestibule_limited_requests_total', { limit: 'email' })
      c.header('Retry-After', String(wait))
      if (!wantsPage(c)) throw new SignInError('too_many_requests')
      return this.showAddressForm(c, input, { value: address, wait, status: 429 })
    }
    const attempt = await startLocalSignIn(c, this.#method, input, {
      address,
      code: createCode(),
      linkSecret: randomSecret(),
      expiresAt: String(nowInSeconds() + (this.#provider.maxAge ?? ATTEMPT_LIFETIME)),
    })
    await this.#send(c, attempt as EmailAttempt, { interaction: input.interaction, sending: '1' })
    return c.redirect(this.#codePath(attempt), 303)
  }

  /** The page that waits for the code. */
  async showCodeForm(
    c: AppContext,
    attempt: EmailAttempt,
    options: { remaining?: number; notice?: 'sentAgain' | 'wait'; status?: number } = {},
  ): Promise<Response> {
    const messages = withTexts<typeof en>(await messagesFor(c))
    const { remaining, notice, status = 200 } = options
    const { linkTo } = attempt
    const config = c.get('config')
    const interaction = await attemptInteraction(c, attempt)
    const restartUrl = linkTo
      ? `${this.#signInPath}?${await accountLink(config, linkTo)}`
      : signInUrl(interaction, `/signin/${this.#provider.id}`)
    return respondWithPage(
      c,
      <CodePage
        messages={messages}
        address={attempt.local.address}
        action={this.#codePath(attempt)}
        csrfToken={await csrfToken(c)}
        restartUrl={restartUrl}
        validFor={Number(attempt.local.expiresAt) - nowInSeconds()}
        remaining={remaining}
        notice={notice}
        wait={notice === 'sentAgain' ? RESEND_DELAY : this.#waitAfterStart(attempt)}
        isLinking={linkTo !== undefined}
      />,
      {
        title: messages.t(linkTo ? 'email.code.linkTitle' : 'email.code.title'),
        status,
        client: await interactionClient(c, interaction),
        repeatAt: this.#codePath(attempt),
      },
    )
  }

  async useCode(c: AppContext, attempt: EmailAttempt, code: string): Promise<Response> {
    const isCorrect = await isSameSecret(attempt.local.code, readCode(code))
    return this.#finish(c, attempt, await tryCode(c, attempt, isCorrect))
  }

  /** Sends the same message again, with the same code, so that either can be used. */
  async sendAgain(c: AppContext, attempt: EmailAttempt): Promise<Response> {
    const isTooEarly =
      this.#waitAfterStart(attempt) > 0 ||
      (await countRepeatedMessage(c, attempt.state)) > 0 ||
      (await countMessage(c, this.#provider.id, attempt.local.address)) > 0
    if (isTooEarly) {
      count<typeof METRICS>('vestibule_limited_requests_total', { limit: 'email' })
      return this.showCodeForm(c, attempt, { notice: 'wait', status: 429 })
    }
    const interaction = await attemptInteraction(c, attempt)
    await this.#send(c, attempt, { interaction, sending: String(nowInSeconds()) })
    return this.showCodeForm(c, attempt, { notice: 'sentAgain' })
  }

  /** For how many seconds the first message is not sent again. */
  #waitAfterStart({ expiresAt }: EmailAttempt): number {
    const startedAt = expiresAt - ATTEMPT_LIFETIME
    return Math.max(startedAt + RESEND_DELAY - nowInSeconds(), 0)
  }

  /** The page of a link. In another browser than the one that requested it, it signs nobody in. */
  async showLink(c: AppContext, token: string): Promise<Response> {
    const link = await this.#openLink(c, token)
    const messages = withTexts<typeof en>(await messagesFor(c))
    const attempt = await this.#readAttempt(c, link.attempt)
    if (!attempt || !(await isSameSecret(attempt.local.linkSecret, link.secret))) {
      const page = <ElsewherePage messages={messages} browser={link.browser} />
      return respondWithPage(c, page, {
        title: messages.t('email.elsewhere.title'),
        isRepeatable: true,
      })
    }
    const interaction = await attemptInteraction(c, attempt)
    const client = await interactionClient(c, interaction)
    const signInTitle = client
      ? messages.t('signIn.titleFor', { app: client.client_name })
      : messages.t('email.link.title')
    return respondWithPage(
      c,
      <LinkPage
        messages={messages}
        address={attempt.local.address}
        action={this.#callbackPath}
        token={token}
        csrfToken={await csrfToken(c)}
        otherMethodsUrl={signInUrl(interaction, '/signin')}
        isLinking={attempt.linkTo !== undefined}
      />,
      {
        title: attempt.linkTo ? messages.t('email.address.linkTitle') : signInTitle,
        client,
        isRepeatable: true,
      },
    )
  }

  async useLink(c: AppContext, token: string): Promise<Response> {
    const link = await this.#openLink(c, token)
    const attempt = await this.requireAttempt(c, link.attempt)
    const isCorrect = await isSameSecret(attempt.local.linkSecret, link.secret)
    // The link belongs to another attempt. It is no guess of this attempt's code.
    if (!isCorrect) throw new SignInError('attempt_missing')
    return this.#finish(c, attempt, await tryCode(c, attempt, true))
  }

  /** The attempt of this browser. */
  async requireAttempt(c: AppContext, suffix: string): Promise<EmailAttempt> {
    const attempt = await this.#readAttempt(c, suffix)
    if (!attempt) throw new SignInError('attempt_missing')
    return attempt
  }

  async #readAttempt(c: AppContext, suffix: string): Promise<EmailAttempt | undefined> {
    const attempt = (await readAttempt(c, this.#provider.id, suffix)) as EmailAttempt | undefined
    return attempt && Number(attempt.local.expiresAt) > nowInSeconds() ? attempt : undefined
  }

  async #finish(c: AppContext, attempt: EmailAttempt, result: CodeResult): Promise<Response> {
    if (result.kind === 'wrong') {
      if (!wantsPage(c)) throw new SignInError('credentials_rejected')
      addToLog(c, {
        event: 'signin_failed',
        code: 'credentials_rejected',
        provider: this.#provider.id,
      })
      return this.showCodeForm(c, attempt, { remaining: result.remaining, status: 401 })
    }
    const isCorrect = result.kind === 'accepted' || result.kind === 'repeated'
    if (isCorrect) await keepAttempt(c, attempt, REPEAT_PERIOD)
    else await takeAttempt(c, this.#provider.id, attempt.state)
    const continueUrl = await this.#continueUrl(c, attempt, result.kind)
    if (continueUrl === undefined) throw new SignInError('attempt_missing')
    await rememberAccount(c, this.#provider.id, toAccountId(attempt.local.address))
    return continueAt(c, continueUrl)
  }

  /** Where the user continues; undefined if the code was used before. */
  async #continueUrl(
    c: AppContext,
    attempt: EmailAttempt,
    result: Exclude<CodeResult['kind'], 'wrong'>,
  ): Promise<string | undefined> {
    const { address } = attempt.local
    if (result === 'used') return undefined
    if (result === 'repeated') return repeatSignIn(c, this.#method, attempt, toAccountId(address))
    return finishSignIn(c, this.#method, attempt, async () => {
      if (result === 'accepted') return identifiedUser(address)
      count<typeof METRICS>('vestibule_limited_requests_total', { limit: 'code' })
      throw new SignInError('too_many_guesses')
    })
  }

  async #send(
    c: AppContext,
    attempt: EmailAttempt,
    { interaction, sending }: { interaction: Interaction; sending: string },
  ): Promise<void> {
    const config = c.get('config')
    const { address, code, linkSecret } = attempt.local
    const expiresAt = Number(attempt.local.expiresAt)
    const token = await sealUntil<typeof SEAL>(config.seal, expiresAt, {
      purpose: SEAL,
      context: this.#provider.id,
      text: JSON.stringify({
        attempt: cookieSuffix(attempt),
        secret: linkSecret,
        browser: describeDevice(c).device ?? '',
      }),
    })
    const url = `${config.issuer}${this.#callbackPath}?token=${token}`
    const client = await interactionClient(c, interaction)
    const message = composeMessage({
      messages: withTexts<typeof en>(await messagesFor(c)),
      // Strangers choose what unregistered clients are called.
      app: client && !client.unregistered ? client.client_name : config.serviceName,
      isLinking: attempt.linkTo !== undefined,
      host: config.serviceName,
      code,
      url,
      validFor: expiresAt - nowInSeconds(),
      origin: describeOrigin(c),
      brand: resolveBrand(config.theme, client),
    })
    const idempotencyKey = await digest(`${attempt.state} ${sending}`)
    await sendMessage(c, this.#provider, {
      to: address,
      code,
      url,
      expiresAt,
      message,
      idempotencyKey,
    })
  }

  async #openLink(c: AppContext, token: string): Promise<SealedLink> {
    const use = { purpose: SEAL, context: this.#provider.id } as const
    const opened = await openUnexpired<typeof SEAL>(c.get('config').seal, token, use)
    if (opened === undefined) throw new SignInError('attempt_missing')
    // We sealed it, so its content can be trusted.
    return JSON.parse(opened)
  }

  #codePath(attempt: Attempt): string {
    return `${this.#signInPath}/${cookieSuffix(attempt)}`
  }
}

interface SealedLink {
  /** The suffix of the attempt's cookie. */
  attempt: string
  secret: string
  /** The browser that requested the message. */
  browser: string
}

/**
 * The code and the link can be used once, whichever comes first. Wrong codes are counted by attempt
 * outside of the browser, so that sending an older cookie again allows no further guesses.
 */
async function tryCode(c: AppContext, attempt: Attempt, isCorrect: boolean): Promise<CodeResult> {
  const name = `email code ${await digest(attempt.state)}`
  return requireStorage(() =>
    codeGuard(c.env, name).tryCode(isCorrect, {
      maxFailures: MAX_WRONG_CODES,
      repeatableFor: REPEAT_PERIOD,
      expiresAt: attempt.expiresAt,
    }),
  )
}

/** The user has proved that they receive messages at this address. */
function identifiedUser(address: string) {
  const accountId = toAccountId(address)
  return {
    accountId,
    tokens: {},
    label: address,
    user: { id: accountId, email: address, emailVerified: true },
    profile: { email: address },
    authenticatedAt: nowInSeconds(),
    amr: ['otp'],
  }
}
