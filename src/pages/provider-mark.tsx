/**
 * A provider's logo on the provider's own colour, for which it is drawn. The name is next to it.
 */
export function ProviderMark({ id, logo }: { id: string; logo: string }) {
  return (
    <span class={`mark brand-${id}`}>
      <img src={logo} alt="" />
    </span>
  )
}
