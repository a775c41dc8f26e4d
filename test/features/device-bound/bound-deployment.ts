import { options } from '../../../src/deployment.ts'
import { defineFeature, deviceBound } from '../../../src/features.ts'
import { Passkey } from '../../../src/providers.ts'
import { createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'

/** Whom the step of these deployments asks, which a test can change. */
export const gate = { isRequired: (_client: string | undefined): boolean => false }

/** Asks for a press of a button, which anybody can do who has a session. */
const gateFeature = defineFeature({
  id: 'gate',
  step: {
    dependsOn: ['app'],
    required: async ({ client }) => (gate.isRequired(client?.client_id) ? '/gate' : undefined),
  },
  pages: {
    '/gate': {
      isStep: true,
      show: () => ({ title: 'Gate', content: 'Press the button.', button: 'Continue' }),
      submit: async () => ({ amr: [] }),
    },
  },
})

const boundOptions: VestibuleOptions = {
  ...options,
  providers: [...options.providers, Passkey()],
  features: [...(options.features ?? []), gateFeature, deviceBound()],
}

/** Browsers can bind their sessions. */
export const bound = createVestibule(boundOptions)

/** The same, with other options of the feature. */
export function boundWith(changes: Parameters<typeof deviceBound>[0]) {
  return createVestibule({
    ...boundOptions,
    features: [...(options.features ?? []), gateFeature, deviceBound(changes)],
  })
}
