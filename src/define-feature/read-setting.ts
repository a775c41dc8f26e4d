import type { Config } from '../core/config/config.ts'
import type { ValueSetting } from '../core/config/feature.ts'
import type { LocalSetting } from '../provider-interface/common-options.ts'

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
