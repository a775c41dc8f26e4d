/** Deliberately unlike the gallery's, so that the two apps are easy to tell apart. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --background: #faf7f2;
  --surface: #fff;
  --text: #211c16;
  --muted-text: #6a5f53;
  --border: #e2d9cc;
  --accent: #8a3b12;
  --on-accent: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #16130f;
    --surface: #201c17;
    --text: #f4eee6;
    --muted-text: #b9ad9e;
    --border: #3d362d;
    --accent: #f3a978;
    --on-accent: #2a1206;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 44rem;
  padding: 0 1rem 3rem;
  background: var(--background);
  color: var(--text);
  font:
    1rem / 1.5 system-ui,
    sans-serif;
  overflow-wrap: anywhere;
}
header {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  align-items: center;
  justify-content: space-between;
  padding: 1rem 0;
  border-bottom: 1px solid var(--border);
}
.shop {
  margin: 0;
  font-weight: 700;
}
main { padding-top: 1.5rem; }
h1 {
  margin: 0 0 0.5rem;
  font-size: 1.75rem;
  line-height: 1.2;
}
h2 {
  margin: 2rem 0 0.5rem;
  font-size: 1.125rem;
}
p { margin: 0 0 1rem; }
form { margin: 0; }
.muted {
  color: var(--muted-text);
  font-size: 0.875rem;
}
.button {
  display: inline-block;
  padding: 0.625rem 1.25rem;
  border: 1px solid var(--accent);
  border-radius: 0.625rem;
  background: transparent;
  color: var(--accent);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
a { color: var(--accent); }
.other-app { margin-top: 2rem; }
.main {
  background: var(--accent);
  color: var(--on-accent);
}
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 3px;
}
.welcome {
  display: flex;
  gap: 1rem;
  align-items: center;
}
.welcome h1 {
  margin: 0;
  min-width: 0;
}
.welcome img {
  flex: none;
  border-radius: 50%;
}
pre {
  margin: 0;
  padding: 1rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: 0.75rem;
  font:
    0.8125rem / 1.6 ui-monospace,
    monospace;
  white-space: pre-wrap;
}
pre bdi { display: block; }
.products {
  list-style: none;
  margin: 0;
  padding: 0;
  display: grid;
  gap: 0.75rem;
  grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
}
.products li {
  display: grid;
  align-content: start;
  gap: 0.25rem;
  padding: 1rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: 0.75rem;
}
.glaze {
  height: 4.5rem;
  margin-bottom: 0.25rem;
  border-radius: 0.5rem;
}
.moss { background: linear-gradient(160deg, #7d8f5d, #4c5c38); }
.rust { background: linear-gradient(160deg, #c9764a, #7d3a1c); }
.sand { background:
    radial-gradient(circle at 30% 40%, #8d7455 0 4%, transparent 5%),
    radial-gradient(circle at 65% 65%, #8d7455 0 3%, transparent 4%), #d9c6a5; }
`
