import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Theme, themeSchema } from '../../../src/core/config/theme.ts'
import { resolveTheme } from '../../../src/core/pages/theme.ts'
import { contrastRatio, parseColor, toHex } from '../../../src/foundation/values/css-color.ts'
import { formatProblem, validate } from '../../../src/foundation/values/problem.ts'
import { TikTok } from '../../../src/providers/index.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { signInNewUser } from '../../new-user.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

const LOGO = 'https://cdn.example/logo.svg'
const DATA_LOGO = 'data:image/svg+xml;base64,PHN2Zy8+'

/** The problems of a theme, in sentences. */
function problemsOf(theme: unknown): string[] {
  return validate(themeSchema(), theme, ['theme']).problems.map(formatProblem)
}

describe('a theme', () => {
  it.each<Theme>([
    {},
    { logo: LOGO, brandColor: '#ff6347', background: '#f2ebd9' },
    { logo: { light: LOGO, dark: DATA_LOGO, alt: 'Acme' } },
    { brandColor: { light: '#123', dark: '#def' }, background: { light: '#fff', dark: '#000' } },
    { radius: '0' },
    { radius: '.5rem', font: `Inter, 'Open Sans', "Segoe UI", system-ui, sans-serif` },
    { css: 'h1 > span { content: "\\201c"; }' },
  ])('is accepted: %j', (theme) => {
    expect(problemsOf(theme)).toEqual([])
  })

  it.each<[problem: string, theme: unknown]>([
    ['theme must be an object.', 'dark'],
    ['theme.colour does not exist: the names are logo,', { colour: '#f00' }],
    ['theme.brandColor must be a hex colour such as #1a73e8.', { brandColor: 'red' }],
    ['theme.brandColor must be a hex colour, or an object', { brandColor: 7 }],
    ['theme.background must be a hex colour', { background: '#12345' }],
    ['theme.brandColor.dark is missing.', { brandColor: { light: '#f00' } }],
    [
      'theme.brandColor.hot does not exist: the names are light, dark.',
      { brandColor: { light: '#f00', dark: '#f00', hot: '#f00' } },
    ],
    ['theme.logo must be the https URL of an image', { logo: 'http://cdn.example/logo.svg' }],
    ['theme.logo must be the https URL', { logo: '/logo.svg' }],
    ['theme.logo must be the https URL', { logo: 'https://a;script-src/logo.svg' }],
    ['theme.logo must be the https URL', { logo: 'https://user@cdn.example/logo.svg' }],
    ['theme.logo must be the https URL', { logo: 'https://cdn.example/a b.svg' }],
    ['theme.logo must be the https URL', { logo: 'data:text/html,<script>' }],
    ['theme.logo must be the https URL', { logo: 'data:image/svg+xml,<svg width="1"/>' }],
    ['theme.logo must be a URL, or an object', { logo: 7 }],
    ['theme.logo.light is missing.', { logo: { dark: LOGO } }],
    ['theme.logo.alt must be a string.', { logo: { light: LOGO, alt: 1 } }],
    [
      'theme.logo.size does not exist: the names are light, dark, alt.',
      { logo: { light: LOGO, size: 1 } },
    ],
    ['theme.radius must be a CSS length', { radius: 8 }],
    ['theme.radius must be a CSS length', { radius: '50%' }],
    ['theme.radius must be a CSS length', { radius: '-1px' }],
    ['theme.radius must be a CSS length', { radius: '1px;}' }],
    ['theme.font must be a list of font families', { font: 'url(https://evil.example/font)' }],
    ['theme.font must be a list of font families', { font: 'Inter; color: red' }],
    ['theme.font must be a list of font families', { font: '"Inter' }],
    ['theme.font must be a list of font families', { font: 'Inter,' }],
    ['theme.css must not contain </style.', { css: 'a{}</STYLE><script>' }],
    ['theme.css must not contain @import:', { css: '@Import "https://evil.example"' }],
    ['theme.css must be a string.', { css: ['a{}'] }],
    [
      'theme is too large: css and data URLs in logo are part of every page',
      { css: ' '.repeat(8193) },
    ],
    [
      'theme is too large: css and data URLs in logo are',
      { logo: `${DATA_LOGO}${'A'.repeat(8192)}` },
    ],
    [
      'theme is too large: css and data URLs in logo are',
      { logo: { light: LOGO, dark: `${DATA_LOGO}${'A'.repeat(8192)}` } },
    ],
  ])('is rejected: %s', (problem, theme) => {
    const problems = problemsOf(theme)

    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  it('has the contrast of WCAG 2.2 AA with any colours', async () => {
    await fc.assert(
      fc.property(anyColor, anyColor, (brandColor, background) => {
        for (const palette of readPalettes({ brandColor, background })) {
          expect(palette.contrast('text', 'surface')).toBeGreaterThanOrEqual(4.5)
          expect(palette.contrast('on-background', 'background')).toBeGreaterThanOrEqual(4.5)
          expect(palette.contrast('on-brand', 'brand')).toBeGreaterThanOrEqual(4.5)
          expect(palette.contrast('accent', 'surface')).toBeGreaterThanOrEqual(4.5)
          expect(palette.contrast('muted', 'surface')).toBeGreaterThanOrEqual(4.5)
          expect(palette.contrast('danger', 'surface')).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('keeps colours that are readable', () => {
    const [light, dark] = readPalettes({ brandColor: '#7a1f4b', background: '#191970' })

    expect(light?.colors).toMatchObject({ brand: '#7a1f4b', accent: '#7a1f4b' })
    expect(light?.colors).toMatchObject({ background: '#191970', 'on-background': '#ffffff' })
    expect(dark?.colors).toMatchObject({ brand: '#7a1f4b', background: '#191970' })
  })

  it.each([
    ['#ffffff', '#000000', '#757575'],
    ['#ffff00', '#000000', '#7a7a00'],
    ['#000000', '#ffffff', '#000000'],
  ])('corrects the text and the outline of a %s button', (brandColor, onBrand, accent) => {
    const [light] = readPalettes({ brandColor })

    expect(light?.colors).toMatchObject({ brand: brandColor, 'on-brand': onBrand, accent })
  })

  it('darkens a bright page in dark mode, unless it has a colour for it', () => {
    const [, dark] = readPalettes({ background: '#fffff0' })
    const [, explicit] = readPalettes({ background: { light: '#fffff0', dark: '#fffff0' } })

    expect(dark?.contrast('text', 'background')).toBeGreaterThanOrEqual(15)
    expect(explicit?.colors['background']).toBe('#fffff0')
  })
})

describe('a deployment with a theme and German messages', () => {
  const de = {
    'signIn.title': 'Anmelden',
    'consent.title': 'Darf {app} dein Konto verwenden?',
    'account.title': 'Dein Konto',
    'errors.not_found.title': 'Seite nicht gefunden',
    'errors.not_found.text': 'Diese Seite gibt es nicht.',
    'errors.request_too_large.title': 'Anfrage zu groß',
    'errors.request_too_large.text': 'Lösche die Cookies dieser Seite.',
  }
  const vestibule = createVestibule({
    providers: [TikTok],
    theme: {
      logo: { light: LOGO, dark: 'https://cdn.example/dark.svg' },
      brandColor: '#663399',
      css: '.primary { text-transform: uppercase }',
    },
    messages: { de },
  })
  const service = serviceOf(vestibule)

  async function expectThemedPage(
    browser: Browser,
    path: string,
    title: string,
    images = 'img-src data: https://cdn.example',
  ): Promise<void> {
    const response = await browser.get(path, { 'Accept-Language': 'de' })
    const page = await response.text()
    expect(page).toContain(`<h1>${title}</h1>`)
    expect(page).toContain(`<img class="logo" src="${LOGO}" alt="login.example"/>`)
    expect(page).toContain('<source srcset="https://cdn.example/dark.svg"')
    expect(page).toContain('--brand:#663399')
    expect(page).toContain('.primary { text-transform: uppercase }</style>')
    expect(imageSources(response)).toBe(images)
  }

  it.each([
    ['/api/auth/signin', 'Anmelden'],
    ['/no-such-page', 'Seite nicht gefunden'],
    [`/api/auth/signin?${'a'.repeat(20_000)}`, 'Anfrage zu groß'],
  ])('shows them on the page %.20s', async (path, title) => {
    await expectThemedPage(new Browser(service), path, title)
  })

  it('shows them on the consent and account pages', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const request = await new RelyingApp('kiosk').authorizationUrl({ prompt: 'consent' })

    // The last one is the origin of the user's picture.
    const images = 'img-src data: https://cdn.example https://open.tiktokapis.com'
    await expectThemedPage(browser, request, 'Darf The kiosk dein Konto verwenden?', images)
    await expectThemedPage(browser, '/account', 'Dein Konto', images)
  })

  it('shows the error page of a misconfigured environment without them', async () => {
    const misconfigured = new Browser(serviceOf(vestibule, { AUTH_SECRET: 'short' }))

    const response = await misconfigured.get('/api/auth/signin')

    expect(response.status).toBe(500)
    expect(await response.text()).toContain('--brand:#2b3fd6')
  })

  it('changes only img-src of the Content-Security-Policy', async () => {
    const themed = await new Browser(service).get('/api/auth/signin')
    const plain = await new Browser().get('/api/auth/signin')

    expect(policyWithoutNonce(themed)).toBe(
      policyWithoutNonce(plain).replace('img-src data:', 'img-src data: https://cdn.example'),
    )
  })

  it('embeds a data URL without loading from any origin', async () => {
    const embedded = createVestibule({ providers: [TikTok], theme: { logo: DATA_LOGO } })

    const response = await new Browser(serviceOf(embedded)).get('/api/auth/signin')

    expect(imageSources(response)).toBe('img-src data:')
    expect(await response.text()).toContain(`src="${DATA_LOGO}"`)
  })

  it('is not created with a theme or messages that have problems', () => {
    const create = () =>
      createVestibule({
        providers: [TikTok],
        theme: { brandColor: 'notacolour' },
        // @ts-expect-error: a text is not a number.
        messages: { en: { 'signIn.lead': 7 } },
      })

    expect(create).toThrow(
      'The configuration has 2 problem(s): theme.brandColor must be a hex colour such as #1a73e8. messages.en.signIn.lead must be a string.',
    )
  })
})

const channel = fc.nat({ max: 255 })
const anyColor = fc.oneof(
  fc.tuple(channel, channel, channel).map(toHex),
  fc.constantFrom('#fff', '#000', '#ff0', '#00f', '#808080', '#767676', '#777'),
)

/** The colours that the stylesheet of a theme declares: for light mode, and for dark mode. */
function readPalettes(theme: Theme) {
  const { stylesheet } = resolveTheme(theme)
  const [light = '', dark = ''] = stylesheet.split('@media')
  return [light, dark].map((text) => {
    const declarations = text.matchAll(/--([\w-]+):(#\w{6});/g)
    const colors = Object.fromEntries(Array.from(declarations, ([, name, color]) => [name, color]))
    return {
      colors,
      contrast: (first: string, second: string) => contrast(colors[first], colors[second]),
    }
  })
}

function contrast(first = '', second = ''): number {
  const [a, b] = [parseColor(first), parseColor(second)]
  if (!a || !b) throw new Error(`Not a colour: ${first}, ${second}`)
  return contrastRatio(a, b)
}

function policyWithoutNonce(response: Response): string {
  const policy = response.headers.get('Content-Security-Policy') ?? ''
  return policy.replaceAll(/'nonce-[\w-]+'/g, '')
}

function imageSources(response: Response): string | undefined {
  return /img-src [^;]*/.exec(policyWithoutNonce(response))?.[0]
}
