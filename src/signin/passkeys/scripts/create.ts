/*
 * Creates a passkey when the user presses the button, and sends it with the form. The form is
 * hidden until this script has found that the browser can convert its options from JSON.
 */
{
  const form = document.querySelector<HTMLFormElement>('#passkey')
  const canConvert = typeof window.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function'
  if (form && canConvert) {
    form.hidden = false
    show('unsupported', false)
    form.querySelector<HTMLInputElement>('[name=name]')?.focus()
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void create(form)
    })
  }

  async function create(form: HTMLFormElement): Promise<void> {
    const button = form.querySelector('button')
    const response = form.querySelector<HTMLInputElement>('[name=credential]')
    show('problem', false)
    show('existing', false)
    show('waiting', true)
    if (button) button.disabled = true
    try {
      const options = JSON.parse(form.dataset['options'] ?? '')
      const credential = await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      })
      if (response) response.value = JSON.stringify(credential)
      form.submit()
    } catch (error) {
      const isExisting = error instanceof Error && error.name === 'InvalidStateError'
      show(isExisting ? 'existing' : 'problem', true)
    } finally {
      show('waiting', false)
      if (button) button.disabled = false
    }
  }

  function show(name: 'unsupported' | 'problem' | 'existing' | 'waiting', isShown: boolean): void {
    const element = document.querySelector<HTMLElement>(`[data-${name}]`)
    if (element) element.hidden = !isShown
  }
}
