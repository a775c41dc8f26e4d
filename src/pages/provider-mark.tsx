/** A provider's logo on the provider's own colour, for which it is drawn. The name is next to it. Needs `providerMarkCss`. */
export function ProviderMark({ id }: { id: string }) {
  return <span class={`mark mark-${id}`} />
}
