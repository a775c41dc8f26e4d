import type { Config } from '../../core/config/config.ts'
import { readSetting } from '../../define-feature/read-setting.ts'
import { ANDROID_APPS, IOS_APPS } from './settings.ts'

/**
 * Lets apps on iOS use passkeys and passwords of this host; undefined without such apps.
 * {@link https://developer.apple.com/documentation/xcode/supporting-associated-domains}
 */
export function appleAssociation(config: Config) {
  const apps = readSetting(config, IOS_APPS)?.split(',')
  return apps && { webcredentials: { apps } }
}

/**
 * The same for apps on Android.
 * {@link https://developers.google.com/digital-asset-links/v1/getting-started}
 */
export function assetLinks(config: Config) {
  const apps = readSetting(config, ANDROID_APPS)?.split(',')
  return apps?.map((app) => {
    const [package_name, fingerprint] = app.split('=')
    return {
      relation: ['delegate_permission/common.get_login_creds'],
      target: {
        namespace: 'android_app',
        package_name,
        sha256_cert_fingerprints: [fingerprint],
      },
    }
  })
}
