import { withTexts } from '../../core/messages/messages.ts'
import { Field } from '../../define-feature/field.tsx'
import type { OwnPage, OwnPageContent, Submission } from '../../define-feature/own-feature.ts'
import { qrCode } from '../../define-feature/qr-code.ts'
import { encodeBase32 } from './base32.ts'
import {
  CodeField,
  type Context,
  otherWay,
  record,
  tryCode,
  tryRecoveryCode,
} from './code-pages.tsx'
import {
  type Factor,
  isActive,
  isSpent,
  OFFERED,
  readFactor,
  removeFactor,
  replaceRecoveryCodes,
  spendOffer,
  storeFactor,
  type UseFactor,
} from './factor.ts'
import { CHANGES } from './limits.ts'
import { createSecret, findPeriod, keyUri, parseCode } from './one-time-code.ts'
import type { en } from './texts.ts'

/** How long a page with a QR code can be used. */
const OFFER_LIFETIME = 1800 // seconds

/** Whether the deployment demands a second factor of this user. */
export type IsDemanded = (context: Pick<Context, 'user' | 'isAdministrator'>) => Promise<boolean>

/** Adds an authenticator app before a session counts, because the deployment demands one. */
export function enrolPage(isDemanded: IsDemanded): OwnPage {
  const mayEnrol = async (context: Context) =>
    !context.signIn.amr.includes('mfa') &&
    !isActive(await readFactor(context)) &&
    (await isDemanded(context)) &&
    // What is demanded counts at once. Otherwise, whoever can only sign in with TikTok, for example,
    // would add the second factor of a user who always uses a passkey.
    (await context.isProvedIfPossible())
  return {
    isStep: true,
    needsRecentSignIn: true,
    async show(context) {
      const { t } = withTexts<typeof en>(context.messages)
      if (await mayEnrol(context)) return offer(context, { lead: t('totp.add.required') })
      const isUnconfirmed = context.signIn.level === 'unconfirmed'
      return {
        title: t('totp.add.title'),
        content: t(isUnconfirmed ? 'totp.add.unconfirmed' : 'totp.add.unproved'),
        links: [otherWay(context)],
      }
    },
    async submit(context) {
      // Somebody else may have added one meanwhile. Without a proof, the step is asked again.
      if (!(await mayEnrol(context))) return undefined
      const { t } = withTexts<typeof en>(context.messages)
      const added = await add(context, {
        isUnconfirmed: false,
        mayReplace: (factor) => !isActive(factor),
      })
      if ('problem' in added) return offer(context, { lead: t('totp.add.required'), ...added })
      const page = { ...showCodes(context, added.codes), button: t('totp.codes.saved') }
      return { amr: ['otp', 'mfa'], page }
    },
  }
}

/** Adds an authenticator app, or replaces the present one. */
export const addPage: OwnPage = {
  needsRecentSignIn: true,
  show: async (context) => offer(context, await readPresent(context)),
  async submit(context) {
    const { isPresent, needsCode } = await readPresent(context)
    const presentProblem = needsCode ? await tryPresent(context) : undefined
    if (presentProblem !== undefined) return offer(context, { needsCode, presentProblem })
    const added = await add(context, {
      isUnconfirmed: !isPresent,
      mayReplace: (factor) => isActive(factor) === isPresent,
    })
    if ('problem' in added) return offer(context, { needsCode, ...added })
    return withLink(
      context,
      showCodes(context, added.codes),
      '/account?done=totpAdded&change=endOtherSessions',
    )
  },
}

/** The user confirms that they have added the app themselves, and that they have it. */
export const confirmPage: OwnPage = {
  needsRecentSignIn: true,
  show: (context) => confirmation(context),
  async submit(context) {
    const factor = await readFactor(context)
    const { unconfirmed } = factor ?? {}
    if (!unconfirmed || !context.mayConfirm(unconfirmed)) return confirmation(context)
    const confirm: UseFactor = ({ unconfirmed: mark, ...confirmed }) =>
      mark && context.mayConfirm(mark) ? confirmed : undefined
    const problem = await tryCode(context, String(context.form.get('code')), confirm)
    if (problem !== undefined) return confirmation(context, problem)
    record(context, 'second_factor_confirmed')
    return { done: 'totpConfirmed' }
  },
}

/** Removes the app, unless the deployment demands one. */
export function removePage(isDemanded: IsDemanded): OwnPage {
  const isKept = async (context: Context, { isPresent }: Present) =>
    isPresent && (await isDemanded(context))
  const ask = async (context: Context, presentProblem?: string): Promise<OwnPageContent> => {
    const { t } = withTexts<typeof en>(context.messages)
    const title = t('totp.remove.title')
    const present = await readPresent(context)
    if (await isKept(context, present)) return { title, content: t('totp.remove.required') }
    return {
      title,
      content: (
        <>
          <p>{t('totp.remove.lead')}</p>
          {present.needsCode && <PresentCode {...{ messages: context.messages, presentProblem }} />}
        </>
      ),
      button: t('totp.section.remove'),
    }
  }
  return {
    needsRecentSignIn: true,
    show: (context) => ask(context),
    async submit(context) {
      const present = await readPresent(context)
      if (await isKept(context, present)) return ask(context)
      const problem = present.needsCode ? await tryPresent(context) : undefined
      if (problem !== undefined) return ask(context, problem)
      if (await removeFactor(context, (factor) => isActive(factor) === present.isPresent)) {
        const { t } = withTexts<typeof en>(context.messages)
        record(context, 'second_factor_removed')
        await context.announce({ kind: 'removed', title: t('totp.name') })
        return { done: 'totpRemoved' }
      }
      return (await readFactor(context)) ? ask(context) : { done: 'totpRemoved' }
    },
  }
}

/** Creates new recovery codes, instead of the present ones. */
export const newCodesPage: OwnPage = {
  needsRecentSignIn: true,
  show: (context) => askForNewCodes(context),
  async submit(context) {
    const { isPresent, needsCode } = await readPresent(context)
    if (!isPresent) return askForNewCodes(context)
    const problem = needsCode ? await tryPresent(context) : undefined
    if (problem !== undefined) return askForNewCodes(context, problem)
    if (await isLimited(context)) {
      const { t } = withTexts<typeof en>(context.messages)
      return { title: t('totp.codes.new'), content: t('totp.tooMany') }
    }
    const codes = await replaceRecoveryCodes(context)
    if (!codes) return askForNewCodes(context)
    record(context, 'recovery_codes_replaced')
    const { t } = withTexts<typeof en>(context.messages)
    await context.announce({ kind: 'added', title: t('totp.codes.new') })
    return withLink(context, showCodes(context, codes), '/account')
  },
}

async function askForNewCodes(context: Context, presentProblem?: string): Promise<OwnPageContent> {
  const { t } = withTexts<typeof en>(context.messages)
  const { isPresent, needsCode } = await readPresent(context)
  const title = t('totp.codes.new')
  if (!isPresent) return { title, content: t('totp.section.none') }
  return {
    title,
    content: (
      <>
        <p>{t('totp.codes.newLead')}</p>
        {needsCode && <PresentCode {...{ messages: context.messages, presentProblem }} />}
      </>
    ),
    button: t('totp.codes.create'),
  }
}

async function confirmation(context: Context, problem?: string): Promise<OwnPageContent> {
  const { t } = withTexts<typeof en>(context.messages)
  const { unconfirmed } = (await readFactor(context)) ?? {}
  const title = t('totp.confirm.title')
  if (!unconfirmed || !context.mayConfirm(unconfirmed)) {
    return { title, content: t('totp.confirm.later') }
  }
  return {
    title,
    content: (
      <>
        <p>{t('totp.confirm.lead')}</p>
        <CodeField label={t('totp.code')} error={problem} />
      </>
    ),
    button: t('totp.section.confirm'),
  }
}

/** What a change of the second factor begins with. */
interface Present {
  /** Whether the user has one that counts. What is then stored must not depend on another one. */
  isPresent: boolean
  /** A session from before the app was added, for example, has not proved it. */
  needsCode: boolean
}

async function readPresent(context: Context): Promise<Present> {
  const isPresent = isActive(await readFactor(context))
  return { isPresent, needsCode: isPresent && !context.signIn.amr.includes('mfa') }
}

/** Whoever lost the phone has recovery codes. */
async function tryPresent(context: Submission): Promise<string | undefined> {
  const text = String(context.form.get('present'))
  if (parseCode(text) !== undefined) return tryCode(context, text)
  const result = await tryRecoveryCode(context, text)
  return 'problem' in result ? result.problem : undefined
}

function PresentCode({
  messages,
  presentProblem,
}: {
  messages: Context['messages']
  presentProblem?: string | undefined
}) {
  return (
    <Field
      name="present"
      label={withTexts<typeof en>(messages).t('totp.add.present')}
      autocomplete="one-time-code"
      dir="ltr"
      maxLength={40}
      error={presentProblem}
    />
  )
}

interface OfferOptions {
  lead?: string
  /** What was wrong with the code of the new app. */
  problem?: string
  needsCode?: boolean
  presentProblem?: string
}

/** A new secret. After a wrong code, the same one. */
async function offer(
  context: Context & Partial<Submission>,
  options: OfferOptions,
): Promise<OwnPageContent> {
  const { messages, user, serviceName, form } = context
  const secret = (await readOffer(context, form)) ?? createSecret()
  const sealed = await context.seal(OFFERED, secret.toBase64(), { lifetime: OFFER_LIFETIME })
  const uri = keyUri(secret, {
    issuer: serviceName,
    user: user.email ?? user.username ?? user.name ?? user.id,
  })
  return offerPage({ messages, uri, key: encodeBase32(secret), sealed, ...options })
}

interface OfferedSecret extends OfferOptions {
  messages: Context['messages']
  /** What an app reads from the QR code. */
  uri: string
  /** The same for people who type. */
  key: string
  sealed: string
}

/** Shows a secret as a QR code and as text. */
export function offerPage({ messages, uri, key, sealed, ...options }: OfferedSecret) {
  const { lead, problem, needsCode: mustProve = false, presentProblem } = options
  const { t } = withTexts<typeof en>(messages)
  return {
    title: t('totp.add.title'),
    content: (
      <>
        {lead !== undefined && <p>{lead}</p>}
        <p>{t('totp.add.scan')}</p>
        <img class="qr" alt={t('totp.add.scan')} src={qrCode(uri)} />
        <p>
          {t('totp.add.enter')} <code dir="ltr">{grouped(key)}</code>
        </p>
        <p>
          <a href={uri}>{t('totp.add.open')}</a>
        </p>
        <input type="hidden" name="offer" value={sealed} />
        {mustProve && <PresentCode {...{ messages, presentProblem }} />}
        <CodeField label={t('totp.add.code')} error={problem} />
      </>
    ),
    button: t('totp.add.button'),
  }
}

async function readOffer(
  context: Pick<Context, 'open' | 'records'>,
  form: FormData | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const text = await context.open(OFFERED, String(form?.get('offer') ?? ''))
  const isUsable = text !== undefined && !(await isSpent(context, text))
  return isUsable ? Uint8Array.fromBase64(text) : undefined
}

interface Addition {
  /** Whether what was added must be confirmed, unless the sign-in is proved. */
  isUnconfirmed: boolean
  mayReplace(factor: Factor | undefined): boolean
}

/** Stores the app whose secret and code the form has, and tells the user. */
async function add(
  context: Submission,
  { isUnconfirmed, mayReplace }: Addition,
): Promise<{ codes: string[] } | { problem: string }> {
  const { messages, form } = context
  const { t } = withTexts<typeof en>(messages)
  const secret = await readOffer(context, form)
  const code = parseCode(String(form.get('code')))
  const now = Date.now() / 1000
  // The secret is on the page, so that there is nothing to guess.
  const period = secret && code && (await findPeriod(secret, code, { now, lastUsed: 0 }))
  if (!secret || !period) return { problem: t('totp.wrong') }
  if (await isLimited(context)) return { problem: t('totp.tooMany') }
  const unconfirmed = isUnconfirmed ? context.unconfirmedMark() : undefined
  const factor = { secret: secret.toBase64(), period, unconfirmed }
  const isFirst = await spendOffer(context, factor.secret, OFFER_LIFETIME)
  const codes = isFirst && (await storeFactor(context, factor, mayReplace))
  if (!codes) return { problem: t('totp.wrong') }
  record(context, 'second_factor_added', unconfirmed && 'unconfirmed')
  await context.announce({ kind: 'added', title: t('totp.name') })
  return { codes }
}

/** Each change is recorded and announced, so that there must not be any number of them. */
async function isLimited({ count }: Pick<Context, 'count'>): Promise<boolean> {
  return (await count(CHANGES)) > 0
}

/** The recovery codes, which are shown this once. */
export function showCodes({ messages }: Pick<Context, 'messages'>, codes: readonly string[]) {
  const { t } = withTexts<typeof en>(messages)
  return {
    title: t('totp.codes.title'),
    content: (
      <>
        <p>{t('totp.codes.lead')}</p>
        <ul dir="ltr">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </>
    ),
  }
}

function withLink(
  { messages }: Context,
  page: ReturnType<typeof showCodes>,
  path: string,
): OwnPageContent {
  const { t } = withTexts<typeof en>(messages)
  return {
    ...page,
    content: (
      <>
        {page.content}
        <a class="primary" href={path}>
          {t('totp.codes.saved')}
        </a>
      </>
    ),
  }
}

function grouped(key: string): string {
  return key.replaceAll(/.{4}(?=.)/g, '$& ')
}
