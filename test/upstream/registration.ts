import { app } from '../../src/libraries/testing/video-platform/apps.ts'
import { PERSONAS } from '../../src/libraries/testing/video-platform/personas.ts'

/** How the tested service is registered at the stand-in. */
export const registration = app.parse({
  clientKey: 'sbaw8k2m5q9r4t7w1z',
  clientSecret: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
  name: 'Vestibule under test',
  kind: 'sandbox',
  scopes: ['user.info.basic', 'user.info.profile', 'user.info.stats'],
  redirectUris: [
    { platform: 'web', uri: 'https://login.example/api/auth/callback/tiktok' },
    { platform: 'desktop', uri: 'http://localhost:*/api/auth/callback/tiktok' },
    { platform: 'mobile', uri: 'https://shop.example/tiktok' },
  ],
  bundleIds: ['com.example.shop'],
  targetUsers: PERSONAS.map(({ handle }) => handle).filter((handle) => handle !== 'tova'),
})
