import * as z from 'zod/mini'
import type { Config } from '../../core/config/config.ts'
import type { FeatureSetting, ValueSetting } from '../../core/config/feature.ts'
import { type AnyProvider, settingPrefix } from '../../core/config/providers.ts'
import { readSetting } from '../../define-feature/read-setting.ts'
import { text } from '../../foundation/values/schemas.ts'

/** The setting of a provider with this suffix. */
function providerSetting<Schema extends z.ZodMiniType>(
  id: string,
  suffix: string,
  schema: Schema,
): ValueSetting<z.infer<Schema>> {
  return { name: `${settingPrefix(id)}${suffix}`, schema } as ValueSetting<z.infer<Schema>>
}

const idList = z.optional(
  text([
    (list) => /^[^\s,]+(,[^\s,]+)*$/.test(list),
    'must be a list of the ids of your apps at the provider, separated by commas without spaces.',
  ]),
)

/** The ids under which the provider knows the apps: what their ID tokens are for. */
function appIdsSetting(id: string) {
  return providerSetting(id, 'APP_IDS', idList)
}

/** Whether ID tokens need a nonce of ours. */
function nonceSetting(id: string) {
  return providerSetting(id, 'APP_NONCE', z.optional(z.enum(['required', 'optional'])))
}

/** The redirect URI with which the app has requested the code. */
function redirectUriSetting(id: string) {
  return providerSetting(
    id,
    'APP_REDIRECT_URI',
    z.optional(
      text([
        (uri) => URL.canParse(uri),
        'must be the redirect URI that your app passes to the SDK, such as https://shop.example.com/app.',
      ]),
    ),
  )
}

/** The settings of a provider whose SDK returns something that we accept. */
export function providerSettings({ id, type }: AnyProvider): FeatureSetting[] {
  if (type === 'oidc') return [appIdsSetting(id), nonceSetting(id)]
  return returnsCodes(id) ? [redirectUriSetting(id)] : []
}

/** Only the SDK of TikTok returns a code with its verifier. */
function returnsCodes(id: string): boolean {
  return id === 'tiktok'
}

/** Empty if the provider's ID tokens are not accepted. */
export function readAppIds(config: Config, id: string): string[] {
  return readSetting(config, appIdsSetting(id))?.split(',') ?? []
}

export function requiresNonce(config: Config, id: string): boolean {
  return readSetting(config, nonceSetting(id)) !== 'optional'
}

/** Undefined if the provider's codes are not accepted. */
export function readAppRedirectUri(config: Config, id: string): string | undefined {
  return readSetting(config, redirectUriSetting(id))
}

/** The apps on iOS that may use passkeys of this service, each as `<team id>.<bundle id>`. */
export const IOS_APPS: ValueSetting<string | undefined> = {
  name: 'AUTH_IOS_APPS',
  schema: z.optional(
    text([
      (list) => list.split(',').every((app) => /^[A-Z0-9]{10}\.[\w.-]+$/.test(app)),
      'must be a list of apps separated by commas without spaces, each as team id, dot and bundle id, such as ABCDE12345.com.example.shop.',
    ]),
  ),
}

/** The same for Android, each as `<package>=<SHA-256 of the certificate>`. */
export const ANDROID_APPS: ValueSetting<string | undefined> = {
  name: 'AUTH_ANDROID_APPS',
  schema: z.optional(
    text([
      (list) => list.split(',').every((app) => ANDROID_APP.test(app)),
      'must be a list of apps separated by commas without spaces, each as package name, = and the SHA-256 fingerprint of its certificate, such as com.example.shop=14:6D:…',
    ]),
  ),
}

const ANDROID_APP = /^[\w.]+=[0-9A-F]{2}(:[0-9A-F]{2}){31}$/
