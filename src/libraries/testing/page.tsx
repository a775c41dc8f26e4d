import { raw } from 'hono/html'
import type { Child, FC } from 'hono/jsx'

interface PageProps {
  title: string
  /** The page's styles: a `<link>` or a `<style>` element. */
  styles: Child
  children?: Child
}

/** A complete HTML document. It loads nothing from the internet. */
export const Page: FC<PageProps> = ({ title, styles, children }) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        {styles}
      </head>
      <body>{children}</body>
    </html>
  </>
)
