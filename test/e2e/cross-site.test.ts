import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { approveAs } from '../approval.ts'
import { NAME } from '../user-name.ts'
import { describeInBrowser, it, login, platform, storefront } from './browser-fixtures.ts'
import { type ForeignSite, startForeignSite } from './foreign-site.ts'
import {
  chooseTikTok,
  goToConsent,
  readSession,
  signInWithoutPages,
  waitForErrorPage,
  waitForHeading,
} from './page-steps.ts'

describeInBrowser('a page of another site', () => {
  let attacker: ForeignSite

  beforeAll(async () => {
    attacker = await startForeignSite('evil')
  })
  afterAll(() => attacker.close())

  it('[K10] cannot start a sign-in with a link: the user has to press the button', async ({
    page,
    context,
  }) => {
    attacker.serve(
      `<a href="${login}/api/auth/signin/tiktok?callbackUrl=${storefront}/">Win a prize</a>`,
    )
    await page.goto(attacker.origin)
    await page.getByRole('link').click()

    await page.waitForURL(`${login}/api/auth/signin?**`)
    await waitForHeading(page, 'Sign in to The storefront')
    expect(await attemptCookies(context)).toEqual([])
    await chooseTikTok(page)
    await page.waitForURL(`${platform}/v2/auth/authorize/**`)
    expect(await attemptCookies(context)).toHaveLength(1)
  })

  it.for(['signin/tiktok', 'signout'])(
    '[K10] cannot post to /api/auth/%s',
    async (path, { page, context, persona }) => {
      await signInWithoutPages(context, persona)
      attacker.serve(
        `<form method="post" action="${login}/api/auth/${path}"><button>Win a prize</button></form>`,
      )
      await page.goto(attacker.origin)
      const [response] = await Promise.all([
        page.waitForResponse(`${login}/api/auth/${path}`),
        page.getByRole('button').click(),
      ])

      expect(response.status()).toBe(403)
      await waitForErrorPage(page, 'cross_site')
      expect(await attemptCookies(context)).toEqual([])
      expect(await readSession(context)).toMatchObject({ user: { name: NAME } })
    },
  )

  it('[M4] cannot read the session, while the storefront can', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    const fetchSession = () =>
      page.evaluate(
        (url) =>
          fetch(`${url}/api/auth/session`, { credentials: 'include' })
            .then((response) => response.json())
            .catch((error) => error.name),
        login,
      )

    await signInWithoutPages(context, persona)
    await page.goto(storefront)
    expect(await fetchSession()).toMatchObject({ user: { name: NAME } })

    attacker.serve('<p>Hello</p>')
    await page.goto(attacker.origin)
    expect(await fetchSession()).toBe('TypeError')
    expect(pageErrors.splice(0)).toEqual([expect.stringContaining('blocked by CORS policy')])
  })

  it('cannot show a page of the login service in a frame', async ({ page, pageErrors }) => {
    attacker.serve(`<iframe src="${login}/api/auth/signin"></iframe>`)
    await page.goto(attacker.origin)

    expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0)
    expect(pageErrors.splice(0)).toEqual([expect.stringContaining('frame-ancestors')])
  })
})

describeInBrowser('a platform that posts its response from its own site', () => {
  it('[K16] signs the user in: the POST is redirected to a GET, which sends the cookies', async ({
    page,
    persona,
  }) => {
    const site = await startForeignSite('platform')
    try {
      await goToConsent(page, persona)
      const response = await fetch(approveAs(persona, page.url()), { redirect: 'manual' })
      const callback = new URL(response.headers.get('Location') ?? '')

      const fields = [...callback.searchParams].map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
      )
      site.serve(
        `<form method="post" action="${callback.origin}${callback.pathname}">${fields.join('')}<button>Continue</button></form>`,
      )
      await page.goto(site.origin)
      await page.getByRole('button').click()

      await page.waitForURL(`${storefront}/`)
      await waitForHeading(page, `Hello, ${NAME}`)
    } finally {
      await site.close()
    }
  })
})

async function attemptCookies(context: BrowserContext): Promise<string[]> {
  const names = (await context.cookies(login)).map(({ name }) => name)
  return names.filter((name) => name.includes('.attempt.'))
}
