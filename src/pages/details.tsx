/** Facts about an entry of a list, separated by dots. Each stays on one line if it fits, and begins with a capital letter. */
export function Details({ of }: { of: readonly string[] }) {
  return (
    <span class="note facts">
      {of.map((fact) => (
        <span>{fact}</span>
      ))}
    </span>
  )
}
