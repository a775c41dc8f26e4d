import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Theme, themeProblems } from '../src/config/theme.ts'
import { resolveTheme } from '../src/pages/theme.ts'
import { TikTok } from '../src/providers/index.ts'
import { contrastRatio, parseColor } from '../src/values/css-color.ts'
import { createVestibule } from '../src/vestibule.ts'
import { Browser, serviceOf } from './browser.ts'
import { signInNewUser } from './new-user.ts'
import { RelyingApp } from './oidc/relying-app.ts'

const LOGO = 'https://cdn.example/logo.svg'
const DATA_LOGO = 'data:image/svg+xml;base64,PHN2Zy8+'

describe('a CSS colour', () => {
  it.each([
    ['#07f', [0, 119, 255], 1],
    ['#07f8', [0, 119, 255], 136 / 255],
    ['#7A1F4B', [122, 31, 75], 1],
    ['#7a1f4b80', [122, 31, 75], 128 / 255],
    ['rgb(122, 31, 75)', [122, 31, 75], 1],
    ['rgb(122 31 75)', [122, 31, 75], 1],
    ['rgba(122,31,75,.5)', [122, 31, 75], 0.5],
    ['rgb(100% 0% 50% / 25%)', [255, 0, 128], 0.25],
    ['rgb(300 -5 0)', [255, 0, 0], 1],
    ['hsl(120, 100%, 25%)', [0, 128, 0], 1],
    ['hsl(0.5turn 100% 50% / 0.5)', [0, 255, 255], 0.5],
    ['hsl(-120deg 100% 50%)', [0, 0, 255], 1],
    ['hsl(200grad 100% 50%)', [0, 255, 255], 1],
    ['hsla(330, 50%, 40%, 1)', [153, 51, 102], 1],
    ['rebeccapurple', [102, 51, 153], 1],
    [' Yellow ', [255, 255, 0], 1],
    ['tan', [210, 180, 140], 1],
  ])('is read: %s', (text, color, alpha) => {
    expect(parseColor(text)).toEqual({ color, alpha })
  })

  it.each([
    '',
    '#',
    '#12',
    '#12345',
    '#1234567',
    '#ggg',
    '7a1f4b',
    'notacolour',
    'currentcolor',
    'transparent',
    'inherit',
    'ffffff',
    'rgb(1, 2)',
    'rgb(1 2 3 4)',
    'rgb(1, 2, 3 / 4)',
    'rgb(1 2 / 3)',
    'rgb(1 2 3 / 4 / 5)',
    'rgb(1 2, 3)',
    'rgb(1deg 2 3)',
    'rgb(calc(1) 2 3)',
    'hsl(1 2 3)',
    'hsl(1% 2% 3%)',
    'var(--x)',
    'url(https://evil.example)',
    'red;}body{display:none',
    '#fff}*{}',
  ])('is nothing else: "%s"', (text) => {
    expect(parseColor(text)).toBeUndefined()
  })

  it.each([
    ['#000', '#fff', 21],
    ['#fff', '#fff', 1],
    ['#767676', '#fff', 4.54],
    ['#00f', '#ff0', 8],
  ])('has a contrast: %s on %s is %d (WCAG 2.2)', (first, second, ratio) => {
    expect(contrast(first, second)).toBeCloseTo(ratio, 2)
  })
})

describe('a theme', () => {
  it.each<Theme>([
    {},
    { logo: LOGO, brandColor: 'tomato', background: 'hsl(40 50% 90%)' },
    { logo: { light: LOGO, dark: DATA_LOGO, alt: 'Acme' } },
    { brandColor: { light: '#123', dark: '#def' }, background: { light: '#fff', dark: '#000' } },
    { radius: '0' },
    { radius: '.5rem', font: `Inter, 'Open Sans', "Segoe UI", system-ui, sans-serif` },
    { css: 'h1 > span { content: "\\201c"; }' },
  ])('is accepted: %j', (theme) => {
    expect(themeProblems(theme)).toEqual([])
  })

  it.each<[problem: string, theme: unknown]>([
    ['theme must be an object.', 'dark'],
    ['theme.colour is not an option: theme has logo,', { colour: 'red' }],
    ['theme.brandColor must be a CSS colour: a hex code,', { brandColor: 'notacolour' }],
    ['theme.background must be a CSS colour', { background: '#12345' }],
    ['theme.brandColor.dark must be a CSS colour', { brandColor: { light: 'red' } }],
    ['theme.brandColor.hot is not an', { brandColor: { light: 'red', dark: 'red', hot: 'red' } }],
    ['theme.logo must be the https address of an image', { logo: 'http://cdn.example/logo.svg' }],
    ['theme.logo must be the https address', { logo: '/logo.svg' }],
    ['theme.logo must be the https address', { logo: 'https://a;script-src/logo.svg' }],
    ['theme.logo must be the https address', { logo: 'https://user@cdn.example/logo.svg' }],
    ['theme.logo must be the https address', { logo: 'https://cdn.example/a b.svg' }],
    ['theme.logo must be the https address', { logo: 'data:text/html,<script>' }],
    ['theme.logo must be the https address', { logo: 'data:image/svg+xml,<svg width="1"/>' }],
    ['theme.logo must be an address, or an object', { logo: 7 }],
    ['theme.logo.light must be the https address', { logo: { dark: LOGO } }],
    ['theme.logo.alt must be a text.', { logo: { light: LOGO, alt: 1 } }],
    ['theme.logo.size is not an option', { logo: { light: LOGO, size: 1 } }],
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
    ['theme.css must be a text.', { css: ['a{}'] }],
    ['theme.css and data URLs in theme.logo are part of every page:', { css: ' '.repeat(8193) }],
    ['theme.css and data URLs in theme.logo are', { logo: `${DATA_LOGO}${'A'.repeat(8192)}` }],
  ])('is rejected: %s', (problem, theme) => {
    const problems = themeProblems(theme)

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
    const [light, dark] = readPalettes({ brandColor: '#7a1f4b', background: 'midnightblue' })

    expect(light?.colors).toMatchObject({ brand: '#7a1f4b', accent: '#7a1f4b' })
    expect(light?.colors).toMatchObject({ background: '#191970', 'on-background': '#ffffff' })
    expect(dark?.colors).toMatchObject({ brand: '#7a1f4b', background: '#191970' })
  })

  it.each([
    ['white', '#ffffff', '#000000', '#757575'],
    ['yellow', '#ffff00', '#000000', '#7a7a00'],
    ['black', '#000000', '#ffffff', '#000000'],
    ['rgb(0 0 0 / 0)', '#ffffff', '#000000', '#757575'],
  ])('corrects the text and the outline of a %s button', (brandColor, brand, onBrand, accent) => {
    const [light] = readPalettes({ brandColor })

    expect(light?.colors).toMatchObject({ brand, 'on-brand': onBrand, accent })
  })

  it('darkens a bright page in dark mode, unless it has a colour for it', () => {
    const [, dark] = readPalettes({ background: 'ivory' })
    const [, explicit] = readPalettes({ background: { light: 'ivory', dark: 'ivory' } })

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
      brandColor: 'rebeccapurple',
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
    expect(page).toContain('--brand: #663399')
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
    expect(await response.text()).toContain('--brand: #2b3fd6')
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
      'The configuration has 2 problem(s): theme.brandColor must be a CSS colour: a hex code, rgb(), hsl() or a name. messages.en: signIn.lead must be a text.',
    )
  })
})

const channel = fc.nat({ max: 255 })
const anyColor = fc.oneof(
  fc.tuple(channel, channel, channel).map((channels) => `rgb(${channels.join(' ')})`),
  fc.tuple(channel, channel, channel, channel).map((channels) => `rgba(${channels.join()}%)`),
  fc.constantFrom('white', 'black', 'yellow', 'blue', 'gray', '#767676', '#777'),
)

/** The colours that the stylesheet of a theme declares: for light mode, and for dark mode. */
function readPalettes(theme: Theme) {
  const { stylesheet } = resolveTheme(theme)
  const [light = '', dark = ''] = stylesheet.split('@media')
  return [light, dark].map((text) => {
    const declarations = text.matchAll(/--([\w-]+): (#\w{6});/g)
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
  return contrastRatio(a.color, b.color)
}

function policyWithoutNonce(response: Response): string {
  const policy = response.headers.get('Content-Security-Policy') ?? ''
  return policy.replace(/'nonce-[\w-]+'/, '')
}

function imageSources(response: Response): string | undefined {
  return /img-src [^;]*/.exec(policyWithoutNonce(response))?.[0]
}
