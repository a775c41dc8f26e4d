interface DetailsProps {
  /** What matters most. */
  emphasis?: string | undefined
  of: readonly string[]
}

/** Facts about an entry of a list, one per line. Each begins with a capital letter. */
export function Details({ emphasis, of }: DetailsProps) {
  return (
    <span class="note facts">
      {emphasis && <strong>{emphasis}</strong>}
      {of.map((fact) => (
        <span>{fact}</span>
      ))}
    </span>
  )
}
