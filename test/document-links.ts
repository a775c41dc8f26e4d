/** The links of a Markdown page to other files and to headings, images included. */
export function findLinks(page: string): { link: string; path: string; anchor: string }[] {
  const text = page.replace(/^```.*?^```$/gms, '')
  const links = text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)
  return Array.from(links, ([, inText, inElement]) => inText ?? inElement ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor = ''] = link.split('#')
      return { link, path, anchor }
    })
}

/** The anchors that GitHub creates for the headings of a page. */
export function findAnchors(page: string): string[] {
  const headings = page.matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
