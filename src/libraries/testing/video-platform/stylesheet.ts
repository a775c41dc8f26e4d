/** The stylesheet of all pages of the stand-in. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --text: #17161d;
  --muted-text: #5a5866;
  --border: #dcd9e3;
  --background: #f5f3f8;
  --surface: #fff;
  --accent: #7a1f4d;
  --on-accent: #fff;
  --banner: #2b1a3a;
  --on-banner: #f7effa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #f2eff6;
    --muted-text: #b4afc0;
    --border: #3b3646;
    --background: #131118;
    --surface: #1d1a25;
    --accent: #ff9ccb;
    --on-accent: #2a0719;
    --banner: #33204a;
    --on-banner: #f7effa;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--background);
  color: var(--text);
  font:
    1rem / 1.5 system-ui,
    sans-serif;
  overflow-wrap: anywhere;
}
header {
  background: var(--banner);
  color: var(--on-banner);
  padding: 0.75rem 1rem;
  font-size: 0.9rem;
  text-align: center;
}
header p { margin: 0; }
main {
  max-width: 32rem;
  margin: 0 auto;
  padding: 1.5rem 1rem 3rem;
}
h1 {
  font-size: 1.5rem;
  line-height: 1.25;
  margin: 0 0 0.75rem;
}
h2 {
  font-size: 1.125rem;
  line-height: 1.25;
  margin: 0;
}
p { margin: 0 0 1rem; }
a { color: var(--accent); }
time { white-space: nowrap; }
small,
.muted {
  color: var(--muted-text);
  font-size: 0.875rem;
}
ul {
  list-style: none;
  margin: 1.25rem 0;
  padding: 0;
  display: grid;
  gap: 0.625rem;
}
.card {
  width: 100%;
  display: flex;
  gap: 0.875rem;
  align-items: center;
  text-align: start;
  padding: 0.75rem 0.875rem;
  background: var(--surface);
  color: inherit;
  font: inherit;
  border: 1px solid var(--border);
  border-radius: 0.875rem;
}
.stack {
  flex-direction: column;
  align-items: stretch;
  gap: 0.5rem;
}
.stack p { margin: 0; }
.plain {
  display: block;
  list-style: disc;
  margin: 0 0 0.5rem;
  padding-inline-start: 1.25rem;
}
.note {
  margin: 0 0 1.25rem;
  padding: 0.75rem 0.875rem;
  border-inline-start: 4px solid var(--accent);
  background: var(--surface);
  border-radius: 0.25rem;
}
.note p { margin: 0; }
.apart { margin-top: 1.25rem; }
button.card { cursor: pointer; }
button.card:hover { border-color: var(--accent); }
.card span span { display: block; }
.name { font-weight: 600; }
.initial {
  flex: none;
  width: 2.75rem;
  height: 2.75rem;
  border-radius: 50%;
  display: grid;
  place-items: center;
  font-weight: 700;
  color: #fff;
  background: hsl(var(--hue) 45% 30%);
}
label.card { cursor: pointer; }
input[type="checkbox"] {
  flex: none;
  width: 1.375rem;
  height: 1.375rem;
  margin: 0;
  accent-color: var(--accent);
}
fieldset {
  border: 0;
  margin: 1.25rem 0;
  padding: 0;
  display: grid;
  gap: 0.625rem;
  min-width: 0;
}
legend {
  padding: 0;
  margin-bottom: 0.625rem;
  font-weight: 600;
}
.row {
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 0.75rem;
}
.button {
  font: inherit;
  font-weight: 600;
  padding: 0.75rem 1rem;
  border-radius: 0.75rem;
  border: 1px solid var(--accent);
  cursor: pointer;
  background: transparent;
  color: var(--accent);
}
.button.main {
  background: var(--accent);
  color: var(--on-accent);
}
.links {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.5rem;
}
.wide { width: 100%; }
textarea {
  width: 100%;
  margin: 0.375rem 0;
  padding: 0.625rem 0.75rem;
  font:
    0.875rem / 1.4 ui-monospace,
    monospace;
  color: inherit;
  background: var(--surface);
  border: 1px solid var(--muted-text);
  border-radius: 0.75rem;
  resize: vertical;
}
textarea::placeholder {
  color: var(--muted-text);
  opacity: 1;
}
.link {
  font: inherit;
  background: none;
  border: 0;
  padding: 0.5rem 0;
  color: var(--accent);
  text-decoration: underline;
  cursor: pointer;
}
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}
dl {
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.375rem 1rem;
  margin: 1.25rem 0;
  padding: 1rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: 0.875rem;
}
dt { color: var(--muted-text); }
dd {
  margin: 0;
  font-family: ui-monospace, monospace;
}
`
