import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startServices } from '../../demo/services.ts'
import { setColorScheme } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { digestSources } from './image-sources.ts'

/** Takes the images of README and docs from the running demo: `npm run screenshots`. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = join(ROOT, 'docs/images/')

/** Not the ports of `npm start`, which may be running. */
const PORT = 18_887

const MAX_SIZE = 250_000 // bytes

/** An app of another company, whose users are asked for their consent. */
const POSTCARDS = {
  client_id: 'postcards',
  client_name: 'Postcards',
  brand_color: '#00695c',
  redirect_uris: ['https://postcards.example/callback'],
  policy_uri: 'https://postcards.example/privacy',
}

/** The pages of docs. */
const PAGE = { width: 1100, height: 760 }

/**
 * The windows of README, which GitHub shows 838 pixels wide: texts have nearly the size that they
 * have on a screen. The console has its menu from this width on.
 */
const STEP = { width: 320, height: 550 }
const DESKTOP = { width: 1024, height: 672 }

const SCHEMES = ['light', 'dark'] as const

type Scheme = (typeof SCHEMES)[number]

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>

const services = await startServices({
  port: PORT,
  clients: [POSTCARDS],
  administrators: ['mia'],
  hasHistory: true,
})

/** What a deployment would have instead of the origins of the demo. */
const HOSTS: Record<string, string> = {
  [new URL(services.login).host]: 'login.example.com',
  [new URL(services.storefront).host]: 'shop.example.com',
  [new URL(services.orders).host]: 'api.example.com',
  [new URL(services.gallery).host]: 'gallery.example.com',
}

const ACCOUNT = `${services.login}/account`
const CONSOLE = `${services.login}/admin?period=7d`

const browser = await launchChromium()
try {
  mkdirSync(FOLDER, { recursive: true })
  const { steps, signedIn } = await takeSteps(browser)
  for (const scheme of SCHEMES) {
    await combine(browser, `sign-in-${scheme}`, { windows: steps[scheme], scheme })
    const windows = [await takeConsole(browser, scheme, signedIn)]
    await combine(browser, `console-${scheme}`, { windows, scheme })
  }
  await takePages(browser, signedIn)
  const digests = await digestSources((path) => readFileSync(join(ROOT, path), 'utf8'))
  writeFileSync(join(FOLDER, 'digests.json'), `${JSON.stringify(digests, undefined, 2)}\n`)
} finally {
  await browser.close()
  await services.stop()
}

/**
 * Signs in: the shop, the sign-in page, and the shop again. Returns their windows in both schemes,
 * and the cookies.
 */
async function takeSteps(browser: Browser) {
  const page = await browser.newPage({ deviceScaleFactor: 2, viewport: STEP })
  const steps: Record<Scheme, Window[]> = { light: [], dark: [] }
  const add = async (host: string) => {
    await page.waitForLoadState('networkidle')
    for (const colorScheme of SCHEMES) {
      await setColorScheme(page, colorScheme)
      steps[colorScheme].push({ ...STEP, host, image: await takePicture(page) })
    }
  }
  await page.goto(services.storefront)
  await add('shop.example.com')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in with TikTok' }).waitFor()
  await add('login.example.com')
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
  await page.getByTestId('persona-mia').click()
  await page.getByTestId('allow').click()
  await page.waitForURL(`${services.storefront}/`)
  await add('shop.example.com')
  // Only the first page of a new user says that the account was created.
  await page.goto(ACCOUNT)
  return { steps, signedIn: await page.context().storageState() }
}

async function takeConsole(
  browser: Browser,
  colorScheme: Scheme,
  storageState: Cookies,
): Promise<Window> {
  const page = await browser.newPage({ deviceScaleFactor: 2, colorScheme, storageState })
  const host = 'login.example.com/admin'
  return { ...DESKTOP, host, image: await picture(page, CONSOLE, DESKTOP) }
}

/** The images of docs. */
async function takePages(browser: Browser, signedIn: Cookies): Promise<void> {
  const page = await browser.newPage({ storageState: signedIn })
  const pages = { consent: authorizationRequest(), account: ACCOUNT }
  for (const [name, url] of Object.entries(pages)) {
    await page.setViewportSize(PAGE)
    await page.goto(url, { waitUntil: 'networkidle' })
    await replaceHosts(page)
    await save(page, name)
  }
}

function authorizationRequest(): string {
  const query = new URLSearchParams({
    client_id: POSTCARDS.client_id,
    redirect_uri: String(POSTCARDS.redirect_uris),
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return `${services.login}/oidc/authorize?${query}`
}

interface Size {
  width: number
  height: number
}

/** A page with the host names of a deployment, as the URL of an image. */
async function picture(page: Page, url: string, size: Size): Promise<string> {
  await page.setViewportSize(size)
  await page.goto(url, { waitUntil: 'networkidle' })
  return takePicture(page)
}

/** The open page with the host names of a deployment, as the URL of an image. */
async function takePicture(page: Page): Promise<string> {
  await replaceHosts(page)
  return `data:image/png;base64,${(await page.screenshot()).toString('base64')}`
}

async function replaceHosts(page: Page): Promise<void> {
  await page.evaluate((hosts) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: text } = texts
      for (const [host, name] of Object.entries(hosts)) {
        text.nodeValue = text.nodeValue?.replaceAll(`http://${host}`, `https://${name}`) ?? null
        text.nodeValue = text.nodeValue?.replaceAll(host, name) ?? null
      }
    }
  }, HOSTS)
}

interface Window extends Size {
  image: string
  /** In the address bar. */
  host: string
}

/** Draws windows next to each other. */
async function combine(
  browser: Browser,
  name: string,
  { windows, scheme }: { windows: readonly Window[]; scheme: Scheme },
): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: 2, colorScheme: scheme })
  await page.setContent(`<style>
    body { display: inline-flex; gap: 16px; margin: 0; padding: 4px; background: Canvas; color-scheme: light dark; }
    figure { margin: 0; overflow: hidden; border: 1px solid #8886; border-radius: 12px; }
    figcaption { padding: 8px; background: #8883; color: CanvasText; font: 14px system-ui; text-align: center; }
    img { display: block; }
  </style>${windows
    .map(
      ({ image, host, width, height }) =>
        `<figure><figcaption>${host}</figcaption><img src="${image}" width="${width}" height="${height}"></figure>`,
    )
    .join('')}`)
  const box = await page.locator('body').boundingBox()
  await page.setViewportSize({
    width: Math.ceil(box?.width ?? 0),
    height: Math.ceil(box?.height ?? 0),
  })
  await save(page, name, 2)
}

/** Playwright writes no WebP, but Chromium does. */
async function save(page: Page, name: string, scale = 1): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 75,
    clip: { x: 0, y: 0, width, height, scale },
  })
  const image = Buffer.from(data, 'base64')
  if (image.byteLength > MAX_SIZE) throw new Error(`${name}.webp has ${image.byteLength} bytes.`)
  writeFileSync(`${FOLDER}${name}.webp`, image)
  process.stdout.write(`  ${name}.webp  ${Math.ceil(image.byteLength / 1024)} KB\n`)
}
