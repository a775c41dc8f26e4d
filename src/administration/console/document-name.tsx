import { createContext, useContext } from 'hono/jsx'

/** The URL of the documentation site, if the deployment names one. */
export const Documentation = createContext<string | undefined>(undefined)

/** The name of a file such as `docs/admin.md`, which links to it if there is a site. */
export function DocumentName({ path, section }: { path: string; section?: string }) {
  const site = useContext(Documentation)
  const name = <code>{path}</code>
  return site === undefined ? name : <a href={documentUrl(site, path, section)}>{name}</a>
}

function documentUrl(site: string, path: string, section: string | undefined): string {
  const url = new URL(path.replace(/\.md$/, ''), site.replace(/\/?$/, '/'))
  if (section !== undefined) url.hash = toAnchor(section)
  return url.href
}

/** The anchor of a heading, as on the site and on GitHub. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
