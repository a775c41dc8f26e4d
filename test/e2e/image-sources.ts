/**
 * The pages on each image in docs/images/, whose name is without `.webp`. What all pages share is
 * left out, because it changes often, and hardly visibly at this size.
 */
const IMAGE_SOURCES = {
  'sign-in': [
    'src/core/signin/sign-in-page.tsx',
    'demo/storefront/pages.tsx',
    'demo/storefront/stylesheet.ts',
    'src/libraries/client/user-button.ts',
  ],
  console: [
    'src/administration/console/stylesheet.ts',
    'src/administration/console/console-parts.tsx',
    'src/administration/console/cards.tsx',
    'src/features/admin/console/overview-page.tsx',
    'src/features/admin/console/sign-in-chart.tsx',
  ],
  consent: ['src/core/oidc/consent-page.tsx'],
  account: ['src/core/account/account-page.tsx'],
}

/**
 * The digest of the sources without their imports, by image. It is recorded when the images are
 * taken.
 */
export async function digestSources(
  readText: (path: string) => string | undefined,
): Promise<Record<string, string>> {
  const entries = Object.entries(IMAGE_SOURCES).map(async ([image, paths]) => {
    const texts = paths.map((path) => {
      const text = readText(path)
      if (text === undefined) throw new Error(`${path} does not exist.`)
      return text.replaceAll(/^import .*?'$\n/gms, '')
    })
    const bytes = new TextEncoder().encode(texts.join('\0'))
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    return [image, Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')]
  })
  return Object.fromEntries(await Promise.all(entries))
}
