/** The rules of the console, after those of all pages. */
export const CONSOLE_RULES = `
body { --background: var(--surface); grid-template-rows: auto 1fr auto; align-items: start; padding: 0; background: var(--surface); color: var(--text); }
header, main { width: 100%; max-width: 72rem; padding: 1rem 1.25rem; }
main { padding-top: 0; background: none; border: 0; border-radius: 0; box-shadow: none; }
footer { display: none; }
main > *, header > *, figure { min-width: 0; }
header, .sidebar { display: grid; gap: .75rem; }
search .row { flex-wrap: nowrap; }
search button { flex: none; }
.row > :is(a, button), .empty > a { padding-inline: 1.25rem; }
.key { justify-self: start; min-height: 2rem; padding: .25rem .75rem; background: none; border-color: transparent; color: var(--muted); font-size: .875rem; }
@media (hover: none) { .key { display: none; } }
.skip { position: absolute; z-index: 1; inset: .5rem auto auto .5rem; }
.skip:not(:focus) { clip-path: inset(50%); }
::placeholder { color: var(--muted); opacity: 1; }
nav { display: flex; flex-wrap: wrap; gap: .375rem; }
.sections { gap: .125rem; }
.sections a {
  gap: .625rem;
  justify-content: start;
  min-height: 2.5rem;
  padding: .375rem .75rem;
  background: none;
  border-color: transparent;
  border-radius: min(var(--radius), 1rem);
  font-size: .9375rem;
  white-space: nowrap;
}
.sections a:hover { border-color: var(--border); }
.sections [aria-current] { background: color-mix(in srgb, var(--accent) 12%, var(--surface)); font-weight: 600; }
.sections small { margin-inline-start: auto; color: inherit; font-variant-numeric: tabular-nums; }
.bad { color: var(--danger); }
label { display: grid; gap: .25rem; min-width: 0; font-weight: 600; }
small { color: var(--muted); font-size: .875rem; font-weight: 400; text-wrap: pretty; }
input, select, textarea {
  width: 100%;
  min-width: 0;
  min-height: 2.75rem;
  padding: .5rem .75rem;
  background: var(--surface);
  border: 1px solid color-mix(in srgb, currentcolor 60%, transparent);
  border-radius: min(var(--radius), 1rem);
  color: inherit;
  font: inherit;
  font-weight: 400;
}
[role=alert] { padding: .75rem 1rem; border: 2px solid var(--danger); border-radius: min(var(--radius), 1rem); }
summary { display: list-item; font-weight: 600; text-decoration: none; }
@media (max-width: 63.99rem) {
  .sections {
    flex-wrap: nowrap;
    margin-inline: -1.25rem;
    padding: .375rem 1.25rem;
    overflow-x: auto;
    scrollbar-width: thin;
    mask: linear-gradient(90deg, transparent, #000 1.25rem calc(100% - 1.25rem), transparent);
  }
  .sections a { flex: none; }
}
@media (min-width: 64rem) {
  body { justify-items: start; padding-inline-start: 16rem; }
  header, main { padding-inline: 2rem; }
  .sidebar {
    position: fixed;
    inset: 0 auto 0 0;
    width: 16rem;
    align-content: start;
    padding: 1.25rem .75rem;
    overflow-y: auto;
    border-inline-end: 1px solid var(--border);
  }
  .sidebar p { padding-inline: .75rem; }
  .sections { flex-direction: column; flex-wrap: nowrap; padding-top: .25rem; }
}

/* Forms */
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: .75rem; align-items: start; }
fieldset, form details { min-width: 0; padding: 1.5rem 0 .5rem; border: 0; border-top: 1px solid var(--border); }
legend { float: inline-start; }
legend, form summary { padding: 0; font-size: 1.125rem; font-weight: 600; }
:is(fieldset, details) > .fields {
  clear: both;
  grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr));
  gap: 1.25rem 1.5rem;
  align-items: stretch;
  padding-top: .75rem;
}
.fields > div { display: grid; gap: .25rem; align-content: start; }
p + form { padding-top: .5rem; }
.input { display: grid; gap: .25rem; max-width: 42rem; }
textarea { min-height: 3lh; font-family: monospace; field-sizing: content; }
[readonly] { border-style: dashed; }
[aria-invalid] { border: 2px solid var(--danger); }
.color { display: flex; gap: .5rem; }
.color [type=color] { flex: 0 0 3.5rem; padding: .25rem; }
.warning { padding: .75rem 1rem; border: 1px solid var(--accent); border-radius: min(var(--radius), 1rem); }
form:has([value=machine]:checked) .redirect_uris { display: none; }
fieldset fieldset, details > fieldset:first-of-type { border: 0; }
.preview { display: grid; gap: .5rem; justify-items: start; }
iframe { width: 100%; height: 24rem; border: 1px solid var(--border); border-radius: min(var(--radius), 1rem); }
.kinds small { display: block; }
.kinds input { align-self: start; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.secret { font-size: .875rem; }
.flag { grid: auto / 1.5rem 1fr; gap: .5rem; cursor: pointer; }
.flag input { order: -1; min-height: 1.5rem; accent-color: var(--accent); }

/* Tables, facts and charts */
form > label { max-width: 42rem; }
.primary.danger { border-color: var(--danger); }
.table {
  display: block;
  padding: 0;
  border: 0;
  overflow-x: auto;
  background:
    linear-gradient(90deg, var(--surface) 30%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(270deg, var(--surface) 30%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(90deg, var(--border), transparent) left / .75rem 100% no-repeat,
    linear-gradient(270deg, var(--border), transparent) right / .75rem 100% no-repeat;
}
table { width: 100%; border-collapse: collapse; font-size: .875rem; overflow-wrap: normal; }
caption { padding: .5rem 0 .25rem; font-size: 1rem; font-weight: 600; text-align: start; }
th, td { padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--border); text-align: start; vertical-align: top; }
thead th { border: 0; white-space: nowrap; }
tbody th { min-width: 9rem; font-weight: 600; overflow-wrap: anywhere; }
.id { white-space: nowrap; text-decoration: inherit; }
.detail { display: inline-block; min-width: 8rem; }
td a, th a, dd a, .failures a { display: inline; min-height: 0; padding: 0; background: none; border: 0; font-weight: inherit; text-align: start; text-decoration: underline; text-underline-offset: .2em; }
th a { text-decoration: none; }
tbody th a, th a:hover { text-decoration: underline; }
[aria-sort] a::after { content: " ▲" / ""; font-size: .75em; }
[aria-sort=descending] a::after { content: " ▼" / ""; }
.codes { display: flex; flex-wrap: wrap; gap: 0 .75rem; font-size: .8125rem; }
.filter form { padding-top: .75rem; }
.chips a { min-height: 2.25rem; padding: .25rem .875rem; border-radius: 2rem; font-size: .875rem; }
.chips [aria-current] { background: color-mix(in srgb, var(--accent) 12%, var(--surface)); border-color: var(--accent); font-weight: 600; }
.empty { display: grid; gap: 1rem; justify-items: start; max-width: 42rem; padding: 1.5rem; border: 1px dashed var(--border); border-radius: min(var(--radius), 1rem); }
.named { display: flex; align-items: center; gap: .625rem; min-width: 9rem; }
.named small { display: block; }
tr:has(.named) > * { vertical-align: middle; }
.avatar { position: relative; display: grid; flex: none; place-items: center; width: 2rem; height: 2rem; border-radius: 50%; overflow: hidden; color: #fff; font-size: .75rem; font-weight: 600; }
.avatar img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.square { border-radius: 22%; }
.color-0 { background: #a33d14; }
.color-1 { background: #1d5fae; }
.color-2 { background: #6b3fa0; }
.color-3 { background: #0b6b4f; }
.color-4 { background: #8a2f62; }
.color-5 { background: #4a5568; }
td time, th time { white-space: nowrap; }
dl { display: grid; align-items: baseline; font-size: .875rem; }
dt { color: var(--muted); }
dd { justify-self: start; direction: ltr; }
.secret { padding: .75rem 1rem; border: 1px dashed; border-radius: min(var(--radius), 1rem); font: 1.125rem monospace; user-select: all; }
figure { display: grid; gap: .25rem; padding-top: 1rem; }
figcaption, .axis { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; font-size: .875rem; }
figcaption h2 { flex-basis: 100%; }
.axis { justify-content: space-between; color: var(--muted); }
.chart { display: grid; grid: auto auto / auto 1fr; gap: .25rem .5rem; font-size: .75rem; color: var(--muted); }
.chart svg { width: 100%; height: 11rem; border-bottom: 1px solid currentcolor; }
.scale { display: flex; flex-direction: column; justify-content: space-between; margin-block: -.6em; text-align: end; }
.times { grid-column: 2; display: flex; flex-wrap: wrap; }
.times span { flex: 1 0 0; min-width: max-content; }
.zone { margin-inline-start: auto; color: var(--muted); }
figure .line { stroke: var(--border); stroke-width: 1; vector-effect: non-scaling-stroke; }
dl.tiles, .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); gap: .75rem; align-items: stretch; }
.tiles > div, .cards > section { padding: 1rem; border: 1px solid var(--border); border-radius: min(var(--radius), 1rem); }
.tiles dd { padding: 0; }
.tiles strong { display: block; font-size: 1.75rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.cards { grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
.cards > section { align-content: start; }
.cards h2 { margin: 0 0 .75rem; }
.cards .wide { grid-column: 1 / -1; }
.shares, .failures { display: grid; gap: .625rem; margin: 0; padding: 0; list-style: none; font-size: .875rem; }
.shares li { display: grid; grid-template-columns: minmax(min-content, 2fr) minmax(0, 4fr) auto; align-items: center; gap: .75rem; }
.shares svg { width: 100%; height: .5rem; border-radius: .25rem; }
.shares path { stroke-width: 1; }
.shares .all { stroke: var(--border); }
.shares li > :last-child, .failures strong { text-align: end; font-variant-numeric: tabular-nums; }
.failures li { display: grid; grid-template-columns: minmax(2rem, auto) minmax(0, 1fr) auto; gap: 0 .75rem; align-items: baseline; }
.failures li + li { padding-top: .625rem; border-top: 1px solid var(--border); }
.failures small { display: block; }
.failures code { color: var(--muted); }
.ok { stroke: var(--accent); background: var(--accent); }
.failed { stroke: var(--danger); background: var(--danger); }
figure path { stroke-width: 8; }
figure .all { stroke: transparent; }
figure svg a:hover .all { stroke: var(--border); }
i { display: inline-block; width: .75rem; height: .75rem; }
@media (min-width: 48rem) { dl { grid-template-columns: minmax(12rem, auto) 1fr; gap: .375rem 1.5rem; } }
@media (max-width: 47.99rem) { dl { grid-template-columns: 1fr; } dd { padding-bottom: .5rem; } }
`
