import { removeSpaces } from './stylesheet.ts'

/** The rules of all marks. `providerMarkCss` has those of one provider. */
export const MARK_CSS = removeSpaces(`
.mark { flex: none; width: 2.25rem; height: 2.25rem; border: 1px solid var(--border); border-radius: 22%; }
a > .mark { width: 1.75rem; height: 1.75rem; }
.row > .mark + .grow { flex-basis: 11rem; }
`)

/** A provider's logo on the provider's own colour, for which it is drawn. The name is next to it. */
export function ProviderMark({ id }: { id: string }) {
  return <span class={`mark mark-${id}`} />
}
