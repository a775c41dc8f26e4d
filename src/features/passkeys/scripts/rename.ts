/* Selects the name, so that the user can type another one at once. */
{
  const field = document.querySelector<HTMLInputElement>('form [name=name]')
  field?.focus()
  field?.select()
}
