/** Deliberately unlike the storefront's, so that the two apps are easy to tell apart. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --background: #e9edf2;
  --frame: #10151c;
  --text: #10151c;
  --muted-text: #455160;
  --accent: #1b4b8f;
  --on-accent: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #0c1118;
    --frame: #cdd6e2;
    --text: #eef2f7;
    --muted-text: #a3b1c2;
    --accent: #9cc3ff;
    --on-accent: #0a1a30;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--background);
  color: var(--text);
  font:
    1.0625rem / 1.6 Georgia,
    "Times New Roman",
    serif;
  overflow-wrap: anywhere;
}
main {
  max-width: 38rem;
  margin: 0 auto;
  padding: 3rem 1.25rem;
  text-align: center;
}
h1 {
  margin: 0 0 0.75rem;
  font-size: 2.25rem;
  font-weight: 400;
  line-height: 1.15;
}
p,
dl,
form { margin: 0 0 1.25rem; }
dl {
  color: var(--muted-text);
  font-size: 0.875rem;
}
dt { font-style: italic; }
dd {
  margin: 0 0 0.25rem;
  font-family: ui-monospace, monospace;
}
a { color: var(--accent); }
.button {
  display: inline-block;
  padding: 0.5rem 2rem;
  border: 0;
  border-radius: 2rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  text-decoration: none;
  cursor: pointer;
}
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 3px;
}
.pictures {
  list-style: none;
  margin: 2.5rem 0;
  padding: 0;
  display: flex;
  flex-wrap: wrap;
  gap: 1.5rem;
  justify-content: center;
}
.pictures li {
  display: grid;
  gap: 0.5rem;
  width: 10rem;
}
.picture {
  height: 12rem;
  border: 0.5rem solid var(--frame);
}
.tide { background: linear-gradient(#f4d9b8 0 45%, #7fa7b8 45% 60%, #3f6f86 60%); }
.noon { background: radial-gradient(circle at 50% 35%, #ffe08a 0 18%, transparent 19%), #d9653b; }
.hills { background:
    radial-gradient(circle at 20% 110%, #31543d 0 45%, transparent 46%),
    radial-gradient(circle at 85% 115%, #4f7a52 0 50%, transparent 51%), #b9d3e6; }
`
