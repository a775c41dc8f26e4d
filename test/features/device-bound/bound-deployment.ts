import { options } from '../../../src/deployment.ts'
import { deviceBound } from '../../../src/features.ts'
import { Passkey } from '../../../src/providers.ts'
import { createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'

const boundOptions: VestibuleOptions = {
  ...options,
  providers: [...options.providers, Passkey()],
  features: [...(options.features ?? []), deviceBound()],
}

/** Browsers can bind their sessions. */
export const bound = createVestibule(boundOptions)

/** The same, with other options of the feature. */
export function boundWith(changes: Parameters<typeof deviceBound>[0]) {
  return createVestibule({
    ...boundOptions,
    features: [...(options.features ?? []), deviceBound(changes)],
  })
}
