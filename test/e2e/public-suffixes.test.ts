import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkPreviews } from '../../cli/configuration/previews.ts'
import { PublicSuffixes } from '../../cli/public-suffixes.ts'
import type { Config } from '../../src/core/config/config.ts'
import { matchesPreview } from '../../src/features/previews/wildcard-patterns.ts'

const LIST = `// ===BEGIN ICANN DOMAINS===
com
uk
co.uk
*.ck
!www.ck
公司.cn

// ===BEGIN PRIVATE DOMAINS===
example-hosting.app  // a comment
`

const CONFIG = {
  features: [{ id: 'previews', wildcards: { matches: matchesPreview } }],
  clients: [
    { client_id: 'shop', first_party: true, redirect_uris: ['https://*.preview.shop.com/'] },
    { client_id: 'blog', first_party: true, redirect_uris: ['https://*.example-hosting.app/'] },
    { client_id: 'api', redirect_uris: [] },
  ],
} as unknown as Config

afterEach(() => vi.unstubAllGlobals())

describe('the Public Suffix List', () => {
  it.each([
    ['com', true],
    ['shop.com', false],
    ['co.uk', true],
    ['a.ck', true],
    ['www.ck', false],
    ['b.a.ck', false],
    ['xn--55qx5d.cn', true],
    ['example-hosting.app', true],
    ['shop.example-hosting.app', false],
    ['unknown', true],
  ])('says whether anyone can have a name below %s: %s', (host, isSuffix) => {
    expect(new PublicSuffixes(LIST).has(host)).toBe(isSuffix)
  })
})

describe('doctor, about wildcards', () => {
  it('says what each exposes, and reports one directly below a public suffix', async () => {
    vi.stubGlobal('fetch', async () => new Response(LIST))

    const [shop, blog, ...others] = await checkPreviews(CONFIG, false)

    expect(shop).toMatchObject({ status: 'warning' })
    expect(shop?.diagnosis?.what).toContain('every host below preview.shop.com gets codes')
    expect(blog).toMatchObject({ status: 'problem' })
    expect(blog?.diagnosis?.what).toContain('anyone can have a name')
    expect(others).toEqual([])
  })

  it.each([true, false])('says if the list was not read: %s', async (offline) => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))

    const [list, ...wildcards] = await checkPreviews(CONFIG, offline)

    expect(list).toMatchObject({ status: 'skipped' })
    expect(wildcards.map(({ status }) => status)).toEqual(['warning', 'warning'])
  })

  it.each([
    ['wildcards', { clients: [] }],
    ['the feature, which is reported with the settings', { features: [] }],
  ])('has nothing to check without %s', async (_, changes) => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('It must not be read.')))

    expect(await checkPreviews({ ...CONFIG, ...changes }, false)).toEqual([])
  })
})
