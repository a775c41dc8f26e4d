const PAGES = [
  'src/core/pages/layout.tsx',
  'src/core/pages/stylesheet.ts',
  'src/core/pages/theme.ts',
]

/** The files on which the look of each image in docs/images/ depends, without `.webp`. */
export const IMAGE_SOURCES = {
  'sign-in': [
    ...PAGES,
    'src/core/signin/sign-in-page.tsx',
    'demo/storefront/pages.tsx',
    'demo/storefront/stylesheet.ts',
  ],
  console: [
    ...PAGES,
    'src/administration/console/stylesheet.ts',
    'src/administration/console/console-parts.tsx',
    'src/administration/console/cards.tsx',
    'src/features/admin/console/overview-page.tsx',
    'src/features/admin/console/sign-in-chart.tsx',
  ],
  consent: [...PAGES, 'src/core/oidc/consent-page.tsx'],
  account: [...PAGES, 'src/core/account/account-page.tsx'],
}

/** The digest of all sources, by image. It is recorded when the images are taken. */
export async function digestSources(
  readText: (path: string) => string | undefined,
): Promise<Record<string, string>> {
  const entries = Object.entries(IMAGE_SOURCES).map(async ([image, paths]) => {
    const texts = paths.map((path) => {
      const text = readText(path)
      if (text === undefined) throw new Error(`${path} does not exist.`)
      return text
    })
    const bytes = new TextEncoder().encode(texts.join('\0'))
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    return [image, Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')]
  })
  return Object.fromEntries(await Promise.all(entries))
}
