import { expect } from 'vitest'
import { describeInBrowser, gallery, it, login } from './browser-fixtures.ts'
import { signInWithoutPages, waitForHeading } from './page-steps.ts'

/** Characters that have to be escaped in HTML. */
const STATE = 'quotes " and <b>tags</b>'

/** An authorization request of the gallery with the form post response mode. */
const REQUEST = `${login}/oidc/authorize?${new URLSearchParams({
  client_id: 'gallery',
  redirect_uri: `${gallery}/callback`,
  response_type: 'code',
  response_mode: 'form_post',
  scope: 'openid',
  state: STATE,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`

describeInBrowser('GET /oidc/authorize with response_mode=form_post', () => {
  it('[A12] posts the response to the app', async ({ page, context, persona, pageErrors }) => {
    await signInWithoutPages(context, persona)

    const [posted] = await Promise.all([
      page.waitForRequest(`${gallery}/callback`),
      page.goto(REQUEST).catch(() => undefined),
    ])

    expect(posted.method()).toBe('POST')
    expect(Object.fromEntries(new URLSearchParams(posted.postData() ?? ''))).toEqual({
      code: expect.stringMatching(/^ac_/),
      state: STATE,
      iss: login,
    })
    // The gallery accepts only GET, and responds with an error.
    await page.waitForLoadState()
    pageErrors.length = 0
  })

  it('[A12] posts the response in a browser that cannot compile the script of all pages', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    await signInWithoutPages(context, persona)
    await page.route(/\/oidc\/authorize/, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('"use strict"', '/\\p{Unknown}/u')
      await route.fulfill({ response, body })
    })

    const [posted] = await Promise.all([
      page.waitForRequest(`${gallery}/callback`),
      page.goto(REQUEST).catch(() => undefined),
    ])

    expect(new URLSearchParams(posted.postData() ?? '').get('code')).toMatch(/^ac_/)
    await page.waitForLoadState()
    expect(pageErrors.join()).toContain('Invalid regular expression')
    pageErrors.length = 0
  })

  it('[A12] shows a button that posts the response when scripts are disabled', async ({
    openContext,
    persona,
    pageErrors,
  }) => {
    const context = await openContext({ javaScriptEnabled: false })
    await signInWithoutPages(context, persona)
    const page = await context.newPage()
    await page.goto(REQUEST)
    await waitForHeading(page, `Continue to ${new URL(gallery).host}`)

    const [posted] = await Promise.all([
      page.waitForRequest(`${gallery}/callback`),
      page.locator('#continue').click(),
    ])

    expect(new URLSearchParams(posted.postData() ?? '').get('code')).toMatch(/^ac_/)
    pageErrors.length = 0
  })
})
