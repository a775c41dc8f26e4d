import type { LocalSetting } from '../../provider-interface/common-options.ts'
import type { Config, DeclaredOptions } from './config.ts'
import type { FeatureSetting, ValueSetting } from './feature.ts'

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

type ParsedSettings = Pick<Config, 'declaredSettings'>
type TextSetting = Pick<LocalSetting, 'name'>

/** The validated value of a declared setting. */
export function readSetting<Value>(config: ParsedSettings, setting: ValueSetting<Value>): Value
export function readSetting(config: ParsedSettings, setting: TextSetting): string | undefined
export function readSetting(
  { declaredSettings }: ParsedSettings,
  { name }: { name: string },
): unknown {
  return declaredSettings[name]
}
