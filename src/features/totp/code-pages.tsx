import { withTexts } from '../../core/messages/messages.ts'
import { Field } from '../../define-feature/field.tsx'
import type {
  FeatureContext,
  OwnPage,
  OwnPageContent,
  PageContext,
  StepProof,
} from '../../define-feature/own-feature.ts'
import type { TotpEvent } from './audit-events.ts'
import {
  isActive,
  openFactor,
  readFactor,
  type UseFactor,
  useCode,
  useRecoveryCode,
} from './factor.ts'
import { ALARMS, CODES, RECOVERY } from './limits.ts'
import { parseCode } from './one-time-code.ts'
import { CODE_PATH, RECOVERY_PATH } from './paths.ts'
import type { en } from './texts.ts'

export type Context = PageContext

/** What a code of the app, or a recovery code, proves. Which one it was is in the audit log. */
const PROOF = { amr: ['otp', 'mfa'], level: 'proved' } as const satisfies StepProof

/** Asks for a code of the app, before a session counts. */
export const codePage: OwnPage = {
  isStep: true,
  show: async (context) => (await explainUnreadable(context)) ?? askForCode(context),
  async submit(context) {
    const unreadable = await explainUnreadable(context)
    if (unreadable) return unreadable
    const problem = await tryCode(context, String(context.form.get('code')))
    return problem === undefined ? PROOF : askForCode(context, problem)
  },
}

/** Asks for a recovery code instead. */
export const recoveryPage: OwnPage = {
  isStep: true,
  show: (context) => askForRecoveryCode(context),
  async submit(context) {
    const result = await tryRecoveryCode(context, String(context.form.get('code')))
    if ('problem' in result) return askForRecoveryCode(context, result.problem)
    const messages = withTexts<typeof en>(context.messages)
    const page: OwnPageContent = {
      title: messages.t('totp.recovery.title'),
      content: <p>{messages.t('totp.recovery.left', { count: result.left })}</p>,
      button: messages.t('signedIn.continue'),
    }
    return { ...PROOF, page }
  },
}

/**
 * What is shown if the app cannot be checked, because `AUTH_SECRET` was replaced; undefined if it
 * can. The recovery codes still count.
 */
async function explainUnreadable(context: Context): Promise<OwnPageContent | undefined> {
  const factor = await readFactor(context)
  if (!isActive(factor) || (await openFactor(context, factor)) !== undefined) return undefined
  if ((await context.count(ALARMS)) === 0) record(context, 'second_factor_unreadable')
  const { messages, url } = context
  const { t } = withTexts<typeof en>(messages)
  return {
    title: t('totp.title'),
    content: t('totp.unreadable'),
    links: [
      { url: url(RECOVERY_PATH), label: t('totp.useRecoveryCode') },
      otherWay({ messages, url }),
    ],
  }
}

export function askForCode(
  { messages, url, serviceName }: Pick<Context, 'messages' | 'url' | 'serviceName'>,
  problem?: string,
): OwnPageContent {
  const { t } = withTexts<typeof en>(messages)
  return {
    title: t('totp.title'),
    content: (
      <>
        <p>{t('totp.lead', { service: serviceName })}</p>
        <CodeField label={t('totp.code')} error={problem} />
      </>
    ),
    button: t('signedIn.continue'),
    links: [
      { url: url(RECOVERY_PATH), label: t('totp.useRecoveryCode') },
      otherWay({ messages, url }),
    ],
  }
}

export function askForRecoveryCode(
  { messages, url }: Pick<Context, 'messages' | 'url'>,
  problem?: string,
): OwnPageContent {
  const { t } = withTexts<typeof en>(messages)
  return {
    title: t('totp.recovery.title'),
    content: (
      <>
        <p>{t('totp.recovery.lead')}</p>
        <Field
          name="code"
          label={t('totp.recovery.code')}
          autocomplete="off"
          dir="ltr"
          maxLength={40}
          isUpperCase
          hasFocus
          error={problem}
        />
      </>
    ),
    button: t('signedIn.continue'),
    links: [{ url: url(CODE_PATH), label: t('totp.useApp') }, otherWay({ messages, url })],
  }
}

/** A passkey needs no code, and whoever is locked out may have another way to sign in. */
export function otherWay({ messages, url }: Pick<Context, 'messages' | 'url'>) {
  const signIn = url('/api/auth/signin')
  const prompt = `${signIn.includes('?') ? '&' : '?'}prompt=login`
  return { url: signIn + prompt, label: messages.t('actions.chooseProvider') }
}

export function CodeField({ label, error }: { label: string; error?: string | undefined }) {
  return (
    <Field
      name="code"
      label={label}
      autocomplete="one-time-code"
      inputmode="numeric"
      dir="ltr"
      maxLength={10}
      isCode
      hasFocus
      error={error}
    />
  )
}

type Tools = Pick<FeatureContext, 'records' | 'seal' | 'open' | 'count' | 'forget' | 'audit'> &
  Pick<Context, 'messages'>

/** Uses a code of the app up. Returns what was wrong. Guesses are counted before they are checked. */
export async function tryCode(
  context: Tools,
  text: string,
  use?: UseFactor,
): Promise<string | undefined> {
  const { t } = withTexts<typeof en>(context.messages)
  const code = parseCode(text)
  if (code === undefined) return t('totp.wrong')
  const wait = await context.count(CODES)
  if (wait > 0) {
    // Once per lock, because each request could write a row.
    if ((await context.count(ALARMS)) === 0) record(context, 'second_factor_refused')
    return t('totp.refused', { count: Math.ceil(wait / 60) })
  }
  if (!(await useCode(context, code, use))) return t('totp.wrong')
  await context.forget(CODES)
  return undefined
}

/** The same for a recovery code. */
export async function tryRecoveryCode(
  context: Tools,
  text: string,
): Promise<{ left: number } | { problem: string }> {
  const { t } = withTexts<typeof en>(context.messages)
  const isCounted = (await context.count(RECOVERY, { perNetwork: true })) === 0
  const left = isCounted ? await useRecoveryCode(context, text) : undefined
  if (left === undefined) return { problem: t('totp.recovery.wrong') }
  record(context, 'recovery_code_used', String(left))
  return { left }
}

export function record(
  { audit }: Pick<Tools, 'audit'>,
  event: TotpEvent,
  detail?: string | undefined,
): void {
  audit(event, detail)
}
