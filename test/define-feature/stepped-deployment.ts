import { options } from '../../src/deployment.ts'
import { defineFeature } from '../../src/features.ts'
import { Passkey } from '../../src/providers.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { terms } from './terms.ts'

const URL_WITH_QUOTES = 'https://example.com/terms?a="><script>'

/** The right PIN of everyone. */
export const PIN = '1234'

/** Whom the step `pin` asks, which a test can change, and what it was told. */
export const pin = {
  isRequired: (_request: StepFacts): boolean => false,
  requests: [] as StepFacts[],
  endsGrants: false,
  /** Its page. */
  path: '/pin',
  /** What its page proves besides the methods. */
  level: undefined as 'proved' | undefined,
}

type StepFacts = Parameters<NonNullable<Parameters<typeof defineFeature>[0]['step']>['required']>[0]

/** Asks for a PIN before a session counts, and again if an app makes that necessary. */
const pinFeature = defineFeature({
  id: 'pin',
  step: {
    dependsOn: ['app'],
    async required(request) {
      pin.requests.push(request)
      const isAsked = pin.isRequired(request) && !request.signIn.amr.includes('pin')
      return isAsked ? pin.path : undefined
    },
    endsGrants: async () => pin.endsGrants,
  },
  pages: {
    '/pin': {
      isStep: true,
      show: ({ country = '' }) => ({
        title: 'PIN',
        content: `Enter your PIN. (${country})`,
        button: 'Confirm',
      }),
      async submit({ form }) {
        const { level } = pin
        if (form.get('pin') === PIN) return { amr: ['pin', 'mfa'], ...(level && { level }) }
        return { title: 'PIN', content: 'Wrong PIN.', button: 'Confirm' }
      },
    },
    // The same step, for users who have none yet.
    '/pin/choose': {
      isStep: true,
      needsRecentSignIn: true,
      show: () => ({ title: 'PIN', content: 'Choose a PIN.', button: 'Confirm' }),
      submit: async () => ({ amr: ['pin', 'mfa'] }),
    },
  },
})

/** The options of a deployment with steps. */
export const steppedOptions = {
  ...options,
  providers: [...options.providers, Passkey()],
  features: [...(options.features ?? []), terms({ url: URL_WITH_QUOTES, version: 1 }), pinFeature],
}

export const stepped = createVestibule(steppedOptions)
