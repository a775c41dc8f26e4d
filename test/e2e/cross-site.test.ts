import { afterAll, beforeAll, expect } from 'vitest'
import { type OtherSite, openOtherSite } from './other-site.ts'
import {
  describeInBrowser,
  goToConsent,
  it,
  login,
  platform,
  seeHeading,
  sessionOf,
  signIn,
  storefront,
} from './visit.ts'

describeInBrowser('a page of another site', () => {
  let evil: OtherSite

  beforeAll(async () => {
    evil = await openOtherSite('evil')
  })
  afterAll(() => evil.close())

  it('[K10] cannot start a sign-in by a link: the person is shown the button', async ({
    page,
    context,
  }) => {
    evil.show(
      `<a href="${login}/api/auth/signin/tiktok?callbackUrl=${storefront}/">Win a prize</a>`,
    )
    await page.goto(evil.origin)
    await page.getByRole('link').click()

    await page.waitForURL(`${login}/api/auth/signin/tiktok**`)
    await seeHeading(page, 'Sign in to The storefront')
    expect(await attempts(context.cookies(login))).toEqual([])
    await page.getByRole('link', { name: 'Continue with TikTok' }).click()
    await page.waitForURL(`${platform}/v2/auth/authorize/**`)
    expect(await attempts(context.cookies(login))).toHaveLength(1)
  })

  it.for(['signin/tiktok', 'signout'])(
    '[K10] cannot post to /api/auth/%s',
    async (path, { page, context, persona }) => {
      await signIn(page, persona)
      evil.show(
        `<form method="post" action="${login}/api/auth/${path}"><button>Win a prize</button></form>`,
      )
      await page.goto(evil.origin)
      const [answer] = await Promise.all([
        page.waitForResponse(`${login}/api/auth/${path}`),
        page.getByRole('button').click(),
      ])

      expect(answer.status()).toBe(403)
      await seeHeading(page, 'This request came from another site')
      expect(await attempts(context.cookies(login))).toEqual([])
      expect(await sessionOf(context)).toMatchObject({ user: { name: 'Mia Lindqvist' } })
    },
  )

  it('[M4] cannot read who is signed in, while the storefront can', async ({
    openContext,
    persona,
    complaints,
  }) => {
    // The storefront's own policy lets it call nobody; here the login service's is asked.
    const context = await openContext({ bypassCSP: true })
    const page = await context.newPage()
    const ask = () =>
      page.evaluate(
        (url) =>
          fetch(`${url}/api/auth/session`, { credentials: 'include' })
            .then((response) => response.json())
            .catch((error) => error.name),
        login,
      )

    await signIn(page, persona)
    expect(await ask()).toMatchObject({ user: { name: 'Mia Lindqvist' } })

    evil.show('<p>Hello</p>')
    await page.goto(evil.origin)
    expect(await ask()).toBe('TypeError')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('blocked by CORS policy')])
  })

  it('cannot frame a page of ours', async ({ page, complaints }) => {
    evil.show(`<iframe src="${login}/api/auth/signin"></iframe>`)
    await page.goto(evil.origin)

    expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0)
    expect(complaints.splice(0)).toEqual([expect.stringContaining('frame-ancestors')])
  })
})

describeInBrowser('a platform that posts its answer from its own site', () => {
  it('[K16] signs the person in: the post is asked again as a GET that brings the cookies', async ({
    page,
    persona,
  }) => {
    const site = await openOtherSite('platform')
    try {
      await goToConsent(page, persona)
      const authorization = new URL(page.url())
      authorization.searchParams.set('__as', persona)
      authorization.searchParams.set('__grant', 'user.info.basic,user.info.profile')
      const answer = await fetch(authorization, { redirect: 'manual' })
      const callback = new URL(answer.headers.get('Location') ?? '')

      const fields = [...callback.searchParams].map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
      )
      site.show(
        `<form method="post" action="${callback.origin}${callback.pathname}">${fields.join('')}<button>Go on</button></form>`,
      )
      await page.goto(site.origin)
      await page.getByRole('button').click()

      await page.waitForURL(`${storefront}/`)
      await seeHeading(page, 'Hello, Mia Lindqvist')
    } finally {
      await site.close()
    }
  })
})

async function attempts(cookies: Promise<{ name: string }[]>): Promise<string[]> {
  const names = (await cookies).map(({ name }) => name)
  return names.filter((name) => name.includes('.attempt.'))
}
