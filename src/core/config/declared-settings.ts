import type { DeclaredOptions } from './config.ts'
import type { FeatureSetting } from './feature.ts'

type Declared = Pick<DeclaredOptions, 'features' | 'providers'>

/** The settings that features, local methods and providers declare. */
export function listSettings({ features, providers }: Declared): FeatureSetting[] {
  return [
    ...features.flatMap(({ settings = [] }) => settings),
    ...providers.flatMap(({ config }) => [
      ...(config.settings?.list ?? []),
      ...features.flatMap(({ providerSettings }) => providerSettings?.(config) ?? []),
    ]),
  ]
}
