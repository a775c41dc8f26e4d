import { expect } from 'vitest'
import { describeInBrowser, gallery, it, login, seeHeading, signIn } from './visit.ts'

/** An authorization request of the gallery, whose answer is to be posted. */
const REQUEST = `${login}/oidc/authorize?${new URLSearchParams({
  client_id: 'gallery',
  redirect_uri: `${gallery}/callback`,
  response_type: 'code',
  response_mode: 'form_post',
  scope: 'openid',
  state: 'as it "came" <b>',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`

describeInBrowser('an answer that is posted', () => {
  it('[A12] goes on by itself', async ({ page, persona, complaints }) => {
    await signIn(page, persona)

    const [posted] = await Promise.all([
      page.waitForRequest(`${gallery}/callback`),
      page.goto(REQUEST).catch(() => undefined),
    ])

    expect(posted.method()).toBe('POST')
    expect(Object.fromEntries(new URLSearchParams(posted.postData() ?? ''))).toEqual({
      code: expect.stringMatching(/^ac_/),
      state: 'as it "came" <b>',
      iss: login,
    })
    // The gallery takes its answers by GET, and says so.
    await page.waitForLoadState()
    complaints.length = 0
  })

  it('[A12] waits for the button where no script runs', async ({
    openContext,
    persona,
    complaints,
  }) => {
    const page = await (await openContext({ javaScriptEnabled: false })).newPage()
    await signIn(page, persona)
    await page.goto(REQUEST)
    await seeHeading(page, 'Almost there')

    const [posted] = await Promise.all([
      page.waitForRequest(`${gallery}/callback`),
      page.locator('#continue').click(),
    ])

    expect(new URLSearchParams(posted.postData() ?? '').get('code')).toMatch(/^ac_/)
    complaints.length = 0
  })
})
