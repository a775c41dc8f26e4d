import type { Theme } from '../src/core/config/theme.ts'
import { resolveTheme } from '../src/core/pages/theme.ts'

/** The styles that the demo apps share. Each has its own colours, with the tokens of our pages. */
export function createStylesheet(theme: Theme, ownRules: string): string {
  return resolveTheme(theme).tokens + RULES + ownRules
}

const RULES = `
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--background);
  color: var(--on-background);
  font: 1rem/1.5 var(--font);
  overflow-wrap: anywhere;
}
header, main { max-width: 56rem; margin-inline: auto; padding: 1rem 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem; }
main { display: grid; gap: 1.25rem; padding-block: 2rem 4rem; }
h1 { font-size: clamp(2rem, 6vw, 3rem); line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin-top: 1.5rem; font-size: 1.25rem; line-height: 1.45; }
ul { padding: 0; list-style: none; display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); }
.brand { display: flex; align-items: center; gap: .75rem; font-weight: 700; }
.brand img { width: 2.25rem; height: 2.25rem; border-radius: 22%; }
.card { overflow: hidden; background: var(--surface); border: 1px solid var(--border); border-radius: calc(var(--radius) * 1.6); color: var(--text); }
.button {
  display: inline-block;
  padding: .625rem 1.25rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: var(--radius);
  color: var(--text);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
.button.main { background: var(--brand); border-color: var(--brand); color: var(--on-brand); }
.button:hover { border-color: currentcolor; }
a { color: inherit; text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
`
