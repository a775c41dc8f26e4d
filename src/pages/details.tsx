/** Facts about an entry of a list, one per line. Each begins with a capital letter. */
export function Details({ of }: { of: readonly string[] }) {
  return (
    <span class="note facts">
      {of.map((fact) => (
        <span>{fact}</span>
      ))}
    </span>
  )
}
