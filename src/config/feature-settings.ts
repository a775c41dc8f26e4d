import type { Feature, FeatureSetting, ValueSetting } from '../feature.ts'
import type { LocalSetting } from '../providers/local-types.ts'
import type { Config } from './config.ts'

/** The settings that these features read. */
export function listSettings(features: readonly Feature[]): FeatureSetting[] {
  return features.flatMap(({ settings = [] }) => settings)
}

type ParsedSettings = Pick<Config, 'featureSettings'>
type TextSetting = Pick<LocalSetting, 'name'>

/** The validated value of a setting that a feature declares. */
export function readSetting<Value>(config: ParsedSettings, setting: ValueSetting<Value>): Value
export function readSetting(config: ParsedSettings, setting: TextSetting): string | undefined
export function readSetting(
  { featureSettings }: ParsedSettings,
  { name }: { name: string },
): unknown {
  return featureSettings[name]
}
