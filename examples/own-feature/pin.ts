import { html } from 'hono/html'
import type { PageContext, Submission } from 'vestibule-auth/features'
import { defineFeature, Field, withTexts } from 'vestibule-auth/features'

const en = {
  'pin.enter': 'Enter your PIN',
  'pin.choose': 'Choose a PIN',
  'pin.change': 'Change your PIN',
  'pin.lead': 'You need it to sign in with a browser that you have not used before.',
  'pin.present': 'PIN',
  'pin.chosen': 'New PIN',
  'pin.wrong': 'This PIN is wrong.',
  'pin.refused': 'Too many wrong PINs. Try again in an hour.',
  'pin.invalid': 'Enter six digits. If they are not accepted, sign in another way.',
  'account.done.pinChanged': 'Your PIN was changed.',
}

/** Users choose a PIN, and enter it in every browser in which they have not signed in before. */
export const pin = defineFeature({
  id: 'pin',
  texts: { en },
  seals: ['pin'],
  limits: { PINs: [{ max: 5, period: 3600 }] },
  audit: {
    pin_chosen: { text: '{subject} chose a PIN' },
    pin_wrong: { text: '{subject} entered a wrong PIN' },
  },
  step: {
    async required({ records, isKnownBrowser }) {
      if (!(await records.get('pin'))) return '/pin/choose'
      return isKnownBrowser ? undefined : '/pin'
    },
  },
  pages: {
    '/pin': {
      isStep: true,
      show: (context) => page(context, 'enter'),
      submit: async (context) => (await tryPin(context, 'enter')) ?? { amr: ['pin'] },
    },
    '/pin/choose': {
      isStep: true,
      needsRecentSignIn: true,
      show: (context) => page(context, 'choose'),
      submit: async (context) => (await storePin(context, 'choose')) ?? { amr: ['pin'] },
    },
    '/pin/change': {
      needsRecentSignIn: true,
      show: (context) => page(context, 'change'),
      submit: async (context) =>
        (await tryPin(context, 'change')) ??
        (await storePin(context, 'change')) ?? { done: 'pinChanged' },
    },
  },
  async accountSection({ messages }) {
    const { t } = withTexts<typeof en>(messages)
    const links = [{ path: '/pin/change', label: t('pin.change') }]
    return { title: t('pin.present'), facts: [t('pin.lead')], links }
  },
  exportRecords: () => ({ has_pin: true }),
})

type PageName = 'enter' | 'choose' | 'change'
type Problems = { present?: keyof typeof en; chosen?: keyof typeof en }

function page({ messages }: PageContext, name: PageName, problems: Problems = {}) {
  const { t } = withTexts<typeof en>(messages)
  const digits = { autocomplete: 'off', inputmode: 'numeric', maxLength: 6, dir: 'ltr' } as const
  const field = (name: 'present' | 'chosen', problem = problems[name]) =>
    Field({ ...digits, name, label: t(`pin.${name}`), error: problem && t(problem) })
  const content = html`<p>${t('pin.lead')}</p>
    ${name !== 'choose' && field('present')} ${name !== 'enter' && field('chosen')}`
  return { title: t(`pin.${name}`), content, button: t('signedIn.continue') }
}

/** Counts a guess before it is checked. Returns the page again if it was refused or wrong. */
async function tryPin(context: Submission, name: PageName) {
  if ((await context.count('PINs')) > 0) return page(context, name, { present: 'pin.refused' })
  const isRight = await context.records.update<string, true>('pin', async (sealed = '') => {
    const right = await context.open('pin', sealed, { isStored: true })
    if (!right || right !== context.form.get('present')) return undefined
    // Sealed again, because an older AUTH_SECRET may be removed.
    return { value: await context.seal('pin', right), result: true }
  })
  if (!isRight) context.audit('pin_wrong')
  else await context.forget('PINs')
  return isRight ? undefined : page(context, name, { present: 'pin.wrong' })
}

/** Stores the first PIN of a user, or another one. Returns the page again if it was not stored. */
async function storePin(context: Submission, name: PageName) {
  const chosen = String(context.form.get('chosen'))
  const isStored = await context.records.update<string, true>('pin', async (former) => {
    const isFirst = former === undefined && context.signIn.level !== 'unconfirmed'
    if (!/^\d{6}$/.test(chosen) || !(name === 'choose' ? isFirst : former)) return undefined
    return { value: await context.seal('pin', chosen), result: true }
  })
  if (!isStored) return page(context, name, { chosen: 'pin.invalid' })
  context.audit('pin_chosen')
  await context.announce({ kind: 'added', title: en['pin.present'] })
}
