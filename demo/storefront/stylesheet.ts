import { createStylesheet } from '../stylesheet.ts'

/** Deliberately unlike the gallery's, so that the two apps are easy to tell apart. */
export const stylesheet = createStylesheet(
  {
    brandColor: { light: '#8a3b12', dark: '#f3a978' },
    background: { light: '#faf7f2', dark: '#16130f' },
  },
  `
.lead { max-width: 36rem; font-size: 1.125rem; }
header { flex-wrap: nowrap; min-height: 4.75rem; }
.brand { flex: none; }
section:not([hidden]) { display: grid; gap: 1.25rem; }
vestibule-user-button {
  min-width: 0;
  --vestibule-accent: var(--brand);
  --vestibule-accent-text: var(--on-brand);
  --vestibule-background: var(--surface);
  --vestibule-text: var(--text);
  --vestibule-border: var(--border);
  --vestibule-focus: var(--accent);
  --vestibule-radius: var(--radius);
}
.product { display: grid; grid-template-columns: 1fr auto; align-content: start; gap: 0 .5rem; padding-bottom: 1rem; }
.product > * { padding-inline: 1rem; }
.glaze { grid-column: 1 / -1; height: 9rem; margin-bottom: .75rem; }
.moss { background: linear-gradient(160deg, #7d8f5d, #4c5c38); }
.rust { background: linear-gradient(160deg, #c9764a, #7d3a1c); }
.sand { background: radial-gradient(circle at 30% 40%, #8d7455 0 4%, transparent 5%),
  radial-gradient(circle at 65% 65%, #8d7455 0 3%, transparent 4%), #d9c6a5; }
pre { padding: 1rem; font: .8125rem/1.6 ui-monospace, monospace; white-space: pre-wrap; }
pre bdi { display: block; }
`,
)
