import { createStylesheet } from '../stylesheet.ts'

/** Deliberately unlike the storefront's, so that the two apps are easy to tell apart. */
export const stylesheet = createStylesheet(
  {
    brandColor: { light: '#1b4b8f', dark: '#9cc3ff' },
    background: { light: '#e9edf2', dark: '#0c1118' },
    radius: '2rem',
    font: "Georgia, 'Times New Roman', serif",
  },
  `
header { border-bottom: 1px solid var(--border); font-style: italic; }
header a { font-size: 1.5rem; text-decoration: none; }
summary { cursor: pointer; }
details dl { margin-top: .75rem; }
main { justify-items: center; text-align: center; }
h1 { font-weight: 400; }
ul { width: 100%; margin-block: 1.5rem; }
li { display: grid; gap: .75rem; }
dl { font-size: .875rem; }
dt { font-style: italic; }
dd { font-family: ui-monospace, monospace; }
.picture { height: 16rem; border: .75rem solid var(--surface); outline: 1px solid var(--border); }
.tide { background: linear-gradient(#f4d9b8 0 45%, #7fa7b8 45% 60%, #3f6f86 60%); }
.noon { background: radial-gradient(circle at 50% 35%, #ffe08a 0 18%, transparent 19%), #d9653b; }
.hills { background: radial-gradient(circle at 20% 110%, #31543d 0 45%, transparent 46%),
  radial-gradient(circle at 85% 115%, #4f7a52 0 50%, transparent 51%), #b9d3e6; }
`,
)
