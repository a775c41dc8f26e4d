import type { Feature, FeatureSetting, ValueSetting } from '../feature.ts'
import type { LocalSetting } from '../providers/local-types.ts'
import type { Config } from './config.ts'
import type { LocalProvider } from './local-method.ts'
import { listLocalSettings } from './local-providers.ts'

/** What features and local methods declare. */
interface Declared {
  features: readonly Feature[]
  localProviders: readonly LocalProvider[]
}

/** The settings that the features and the local methods of a deployment read. */
export function listSettings({ features, localProviders }: Declared): FeatureSetting[] {
  return [
    ...features.flatMap(({ settings = [] }) => settings),
    ...listLocalSettings(localProviders),
  ]
}

type ParsedSettings = Pick<Config, 'featureSettings'>
type TextSetting = Pick<LocalSetting, 'name'>

/** The validated value of a setting that a feature or a local method declares. */
export function readSetting<Value>(config: ParsedSettings, setting: ValueSetting<Value>): Value
export function readSetting(config: ParsedSettings, setting: TextSetting): string | undefined
export function readSetting(
  { featureSettings }: ParsedSettings,
  { name }: { name: string },
): unknown {
  return featureSettings[name]
}
