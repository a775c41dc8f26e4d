/** The rules of the console, after those of all pages. */
export const CONSOLE_RULES = `
body {
  --page: light-dark(#f6f6f8, #111113);
  --hair: light-dark(#e7e7ec, #2c2c33);
  --good: light-dark(#126b3a, #7fd6a2);
  --warn: light-dark(#8a4b00, #f0b76a);
  --corner: min(var(--radius) * 1.4, 1.125rem);
  grid-template-rows: auto 1fr auto;
  align-items: start;
  padding: 0;
  background: var(--page);
  color: var(--text);
}
header, main { width: 100%; max-width: 72rem; padding: 1rem 1.25rem; }
main { padding-top: 0; background: none; border: 0; border-radius: 0; box-shadow: none; }
footer { display: none; }
main > *, header > *, figure { min-width: 0; }
header { display: grid; gap: .75rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; }
search { flex: 1 1 9rem; min-width: 0; }
.find { position: relative; display: block; }
.find input { padding-inline: 2.75rem 2.5rem; border-color: var(--border); }
.find button { position: absolute; inset: 0 auto 0 0; width: 2.75rem; min-height: 0; padding: 0; background: none; border-color: transparent; color: var(--muted); }
.hint { position: absolute; inset-block: 0; inset-inline-end: .625rem; height: 1.375rem; margin-block: auto; padding: 0 .4375rem; border: 1px solid var(--border); border-radius: .25rem; color: var(--muted); font: .75rem/1.25rem monospace; }
.me { flex: none; gap: .625rem; padding: .25rem; background: none; border-color: transparent; font-weight: 600; }
.account { inset: 4rem max(1.25rem, 100vw - 86rem) auto auto; width: 18rem; max-width: calc(100vw - 2.5rem); margin: 0; padding: 1rem; background: var(--surface); border: 1px solid var(--border); border-radius: var(--corner); box-shadow: 0 .25rem 1rem #0003; color: inherit; font-size: .875rem; }
.account:popover-open { display: grid; gap: .75rem; }
.menu-button { flex: none; padding: .5rem .75rem; }
.row > :is(a, button), .empty > a { padding-inline: 1.25rem; }
.key { justify-content: space-between; min-height: 2.5rem; padding: .25rem .75rem; font-weight: 400; }
.key::after { content: "off" / ""; color: var(--muted); }
.key[aria-pressed=true]::after { content: "on" / ""; color: var(--good); }
@media (hover: none) { .key, .hint { display: none; } }
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
.sections [aria-current] { background: color-mix(in srgb, var(--accent) 12%, var(--surface)); color: color-mix(in srgb, var(--accent) 70%, var(--text)); font-weight: 600; }
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
.sidebar { border: 0; padding: 1.25rem .75rem; background: var(--page); color: inherit; }
.sidebar p, .sections strong { padding-inline: .75rem; }
.sections strong { padding-block: .875rem .25rem; color: var(--muted); font-size: .75rem; font-weight: 600; }
.sections { flex-direction: column; flex-wrap: nowrap; padding-top: .75rem; }
@media (max-width: 63.99rem) {
  .sidebar { inset: 0 auto 0 0; width: min(17rem, 100vw - 3rem); height: auto; max-height: none; margin: 0; overflow-y: auto; border-inline-end: 1px solid var(--border); box-shadow: 0 0 1rem #0003; }
  .sidebar::backdrop { background: #0006; }
}
@media (max-width: 47.99rem) { .me b, .hint { display: none; } .find input { padding-inline-end: .75rem; } }
@media (min-width: 64rem) {
  body { justify-items: start; padding-inline-start: 16rem; }
  header, main { padding-inline: 2rem; }
  .menu-button { display: none; }
  .sidebar { display: block; position: fixed; inset: 0 auto 0 0; width: 16rem; height: auto; margin: 0; overflow-y: auto; border-inline-end: 1px solid var(--hair); }
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
.table { display: block; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; overflow-wrap: normal; }
caption { padding: .5rem 0 .25rem; font-size: 1rem; font-weight: 600; text-align: start; }
tbody tr:hover > *, .rows > li:hover { background: color-mix(in srgb, var(--text) 3%, var(--surface)); }
th, td { padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--border); text-align: start; vertical-align: top; }
thead th { border: 0; white-space: nowrap; }
tbody th { min-width: 9rem; font-weight: 600; overflow-wrap: anywhere; }
.id { white-space: nowrap; text-decoration: inherit; }
.detail { display: inline-block; min-width: 8rem; }
td a, th a, dd a, .rows small a, .timeline a { display: inline; min-height: 0; padding: 0; background: none; border: 0; font-weight: inherit; text-align: start; text-decoration: underline; text-underline-offset: .2em; }
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
.avatar.large { width: 4rem; height: 4rem; font-size: 1.375rem; }
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
figure h2, .cards h2 { font-size: .9375rem; }
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
.tiles > div, .cards > section { padding: 1rem; }
.tiles dd { padding: 0; }
.tiles strong { display: block; font-size: 1.75rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.cards { grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
.cards > section { align-content: start; }
.cards h2 { margin: 0 0 .75rem; }
.shares { display: grid; grid-template-columns: fit-content(60%) minmax(3rem, 1fr) auto; gap: .625rem .75rem; margin: 0; padding: 0; list-style: none; font-size: .875rem; }
.shares li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; margin: 0; }
.shares svg { width: 100%; height: .5rem; border-radius: .25rem; }
.shares path { stroke-width: 1; }
.shares .all { stroke: var(--border); }
.shares li > :last-child { text-align: end; font-variant-numeric: tabular-nums; }
.failures > li { align-items: baseline; }
.failures strong { min-width: 2rem; text-align: end; font-variant-numeric: tabular-nums; }
.failures p { font-weight: 600; }
.failures code { display: inline-block; margin-inline-end: .5rem; }
.failures details { color: var(--text); }
.failures summary { color: var(--accent); font-weight: 400; }
.ok { stroke: var(--accent); background: var(--accent); }
.failed { stroke: var(--danger); background: var(--danger); }
figure path { stroke-width: 8; }
figure .hatch { stroke-width: 2; }
.unfinished .ok { stroke: url(#hatched-ok); }
.unfinished .failed { stroke: url(#hatched-failed); }
.polling { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; }
.polling[hidden] { display: none; }
.live { display: grid; gap: 1rem; min-width: 0; }
figure .all { stroke: transparent; }
figure svg a:hover .all { stroke: var(--border); }
i { display: inline-block; width: .75rem; height: .75rem; }
.head span + span { margin-inline-start: .75rem; }
@media (max-width: 47.99rem) {
  table, tbody, thead, caption { display: block; }
  thead tr, tbody tr { display: flex; flex-wrap: wrap; gap: 0 1rem; }
  thead th { display: none; }
  thead th:has(a) { display: block; }
  tbody tr { padding-block: .5rem; border-top: 1px solid var(--border); }
  tbody th { flex-basis: 100%; padding: 0; border: 0; }
  td { padding: 0; border: 0; overflow-wrap: anywhere; }
  td:empty { display: none; }
  td::before { content: attr(data-of) " "; color: var(--muted); }
  :is(td[data-of=Entry], .beside, .below)::before { content: none; }
  td.wide { display: none; }
  tbody tr:has(.beside) { align-items: center; }
  tr:has(.beside) > th { flex: 1 1 8rem; }
  .beside { order: 1; }
  .below { flex-basis: 100%; order: 2; color: var(--muted); }
  tr:has(.named) > .below { padding-inline-start: 2.625rem; }
  tr:has(.below:not(:empty)) .named small { display: none; }
  .id { white-space: normal; }
  dl.tiles { grid-template-columns: repeat(auto-fit, minmax(min(max(9rem, 40%), 100%), 1fr)); }
  .times:has(> :nth-child(7)) > span { min-width: 0; white-space: nowrap; }
  .times:has(> :nth-child(7)) > :nth-child(even) { visibility: hidden; }
  .tiles > :last-child:nth-child(odd) { grid-column: 1 / -1; }
}
.boxes { grid-column: 1 / -1; padding: 0; }
.boxes .fields { grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: .75rem 1.5rem; }
.boxes fieldset { padding: 0; }
.boxes label { clear: both; padding-block: .25rem; font-weight: 400; }
.boxes fieldset legend { color: var(--muted); font-size: .875rem; }

/* Messages */
main > .notice { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .75rem 1.125rem; border-radius: var(--corner); }
main > .notice p { flex: 1 1 14rem; }
[role=alert] { background: var(--surface); }

/* Cards */
.card, main > .table, main > dl, main > figure, .live > figure, main > form, .cards > section, .tiles > div {
  background: var(--surface);
  border: 1px solid var(--hair);
  border-radius: var(--corner);
}
.card { display: block; min-width: 0; padding: 0; }
main > .table, main > dl, main > figure, .live > figure { padding: .75rem 1.125rem; }
main > form { padding: min(1.125rem, 4vw); }
main > form > fieldset:first-of-type { padding-top: 0; border-top: 0; }
main > dl.tiles { padding: 0; background: none; border: 0; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; padding: .875rem 1.125rem .625rem; }
.head small { margin-inline-start: auto; }
.card h2, .card h3 { font-size: .9375rem; }
.card small { font-size: .8125rem; }
.card h3 { padding: .875rem 1.125rem 0; color: var(--muted); font-size: .75rem; }
.card .none { padding: 0 1.125rem 1rem; }
.pill { display: inline-block; padding: .0625rem .5rem; border-radius: 1rem; background: color-mix(in srgb, currentcolor 12%, transparent); font-size: .75rem; font-weight: 600; line-height: 1.25rem; letter-spacing: 0; }
.pill.good { color: var(--good); }
.pill.warn { color: var(--warn); }
.pill.bad { color: var(--danger); }
.pill.mute { color: var(--muted); }
.rows, .timeline { padding: 0 1.125rem .375rem; list-style: none; font-size: .875rem; }
.rows > li, .timeline > li { display: flex; align-items: center; gap: .75rem; margin: 0; padding-block: .5625rem; border-top: 1px solid var(--hair); }
.rows > li { flex-wrap: wrap; }
.rows > li > div { flex: 1 1 8rem; min-width: 0; }
.rows > li > .icon { color: var(--muted); }
.rows .mark { width: 2rem; height: 2rem; }
.act { min-height: 2rem; padding: .125rem .5rem; font-size: .8125rem; }
.deletion { border-color: color-mix(in srgb, var(--danger) 35%, var(--hair)); }
.who { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 1rem; padding: 1.25rem min(1.125rem, 4vw); }
.identity { display: flex; flex: 1 1 20rem; flex-wrap: wrap; align-items: center; gap: 1rem; min-width: 0; }
.identity > div { flex: 1 1 10rem; min-width: 0; }
.name { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .625rem; }
.who .row a { min-height: 2.5rem; padding-inline: .875rem; font-size: .875rem; }
.sub { display: flex; flex-wrap: wrap; gap: 0 .875rem; color: var(--muted); font-size: .875rem; }
.sub > span { display: inline-flex; align-items: center; gap: .25rem; max-width: 100%; }
.sub code { min-width: 0; }
.copy { min-height: 1.5rem; padding: .25rem; background: none; border-color: transparent; }
.copy .icon { width: .875rem; height: .875rem; }
.copied { color: var(--good); }
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); gap: 0; border-top: 1px solid var(--hair); }
.figures > div { padding: .75rem 1.125rem; }
.figures dd { padding: 0; font-size: 1.125rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.alert { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .75rem 1.125rem; border: 1px solid color-mix(in srgb, var(--warn) 40%, transparent); border-radius: var(--corner); background: color-mix(in srgb, var(--warn) 9%, var(--surface)); font-size: .875rem; }
.alert p { flex: 1 1 18rem; }
.columns, .columns > div { display: grid; align-content: start; gap: 1rem; min-width: 0; }
.days { padding: 0 1.125rem .25rem; }
.days svg { display: block; width: 100%; height: 4.5rem; }
.days path { stroke-width: 14; }
.days .no-sign-ins { stroke: var(--border); stroke-width: 2; }
.timeline > li { display: grid; grid-template-columns: .625rem minmax(0, 1fr) auto; gap: 0 .75rem; align-items: start; }
.timeline > li:first-child { border: 0; }
.timeline > li::before { content: ""; width: .5rem; height: .5rem; margin-top: .4375rem; border-radius: 50%; background: var(--border); }
.timeline > .is-good::before { background: var(--accent); }
.timeline > .is-bad::before { background: var(--danger); border-radius: 0; rotate: 45deg; }
.timeline > .is-warning::before { background: var(--warn); border-radius: 0; }
.is-bad b { color: var(--danger); }
:is(.timeline, .rows) p a { color: inherit; font-weight: 600; text-decoration: none; }
:is(.timeline, .rows) p a:hover { text-decoration: underline; }
.more-link { padding: .25rem 1.125rem 1rem; font-size: .875rem; }
@media (max-width: 47.99rem) { .when { grid-column: 2; } }
@media (min-width: 64rem) { .columns { grid-template-columns: minmax(0, 1.65fr) minmax(0, 1fr); } }
@media (min-width: 48rem) { dl { grid-template-columns: minmax(12rem, auto) 1fr; gap: .375rem 1.5rem; } }
@media (max-width: 47.99rem) { dl { grid-template-columns: 1fr; } dd { padding-bottom: .5rem; } }
`
