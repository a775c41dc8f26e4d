import { createStylesheet } from '../stylesheet.ts'

/** Deliberately unlike the gallery's, so that the two apps are easy to tell apart. */
export const stylesheet = createStylesheet(
  {
    brandColor: { light: '#8a3b12', dark: '#f3a978' },
    background: { light: '#faf7f2', dark: '#16130f' },
  },
  `
h1 { font-size: clamp(1.625rem, 6vw, 3rem); }
header { flex-wrap: nowrap; min-height: 4.75rem; }
.brand { flex: none; }
section { display: grid; gap: 1.25rem; }
section h2 { margin-top: 0; }
.orders { display: grid; }
.orders > * { grid-area: 1 / 1; }
.orders > p { padding: 1rem; border-style: dashed; place-content: center; text-align: center; text-wrap: balance; }
.orders > p:not([hidden]) { display: grid; }
.reserved { visibility: hidden; }
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
.picture { display: block; width: 100%; }
.product > .picture { grid-column: 1 / -1; margin-bottom: .75rem; padding: 0; }
.moss { background: #e4e8d8; --glaze: #6b7d4c; --rim: #4c5c38; }
.rust { background: #f3ddcf; --glaze: #b5623a; --rim: #7d3a1c; }
.sand { background: #ebe3d3; --glaze: #cdb58d; --rim: #8d7455; }
.body { fill: var(--glaze); }
.rim { fill: var(--rim); }
.line { fill: none; stroke: var(--glaze); stroke-width: 5; }
.speckles { fill: none; stroke: var(--rim); stroke-width: 3; stroke-linecap: round; }
.shadow { fill: #0002; }
[hidden] { display: none; }
.orders ul:not([hidden]) { grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); }
.order { min-height: 5rem; display: grid; grid-template-columns: 6rem 1fr auto; align-items: center; column-gap: 1rem; padding-inline-end: 1rem; }
.order-picture { grid-row: 1 / 3; align-self: stretch; }
.order .picture { height: 100%; }
.item { align-self: end; padding-top: .5rem; }
.number { grid-column: 2; align-self: start; padding-bottom: .5rem; font-size: .875rem; opacity: .75; }
.status { grid-column: 3; grid-row: 1 / 3; padding: .125rem .75rem; border-radius: 1rem; background: #8883; font-size: .875rem; white-space: nowrap; }
.status::first-letter { text-transform: uppercase; }
@media (max-width: 22rem) {
  header { gap: .5rem; }
  .order { grid-template-columns: 4.5rem 1fr; }
  .order-picture { grid-row: 1 / 4; }
  .status { grid-area: 3 / 2; justify-self: start; margin-bottom: .5rem; }
}
[data-order-status="on its way"] { background: light-dark(#fdebc8, #4a3508); }
[data-order-status="delivered"] { background: light-dark(#dcefdc, #1d3a22); }
details { margin-top: 1rem; }
details > :not(summary) { margin-top: .75rem; }
summary { font-weight: 600; cursor: pointer; }
pre { padding: 1rem; font: .8125rem/1.6 ui-monospace, monospace; white-space: pre-wrap; }
pre bdi { display: block; }
`,
)
