import { describe, expect, it } from 'vitest'
import { Browser, SHOP } from './browser.ts'

describe('a sign-in through the video platform', () => {
  it('leads from the app to the platform and back, with a session', async () => {
    const browser = new Browser()

    const response = await browser.signIn('mia', { callbackUrl: `${SHOP}/cart?item=7` })

    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe(`${SHOP}/cart?item=7`)
    expect(await browser.session()).toMatchObject({
      user: { name: 'Mia Lindqvist', username: 'mia' },
    })
  })
})
