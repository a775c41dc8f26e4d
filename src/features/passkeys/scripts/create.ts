/*
 * Creates a passkey, and sends it with the form: at once, because the user has chosen this on the
 * page before, and again when they press the button. The form is hidden until this script has found
 * that the browser can convert its options from JSON.
 */
{
  const form = document.querySelector<HTMLFormElement>('#passkey')
  const response = form?.querySelector<HTMLInputElement>('[name=credential]')
  const canConvert = typeof window.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function'
  if (form && canConvert) {
    form.hidden = false
    show('unsupported', false)
    form.addEventListener('submit', (event) => {
      if (response?.value) return
      event.preventDefault()
      void create(form)
    })
    // Not when the user has gone back or reloaded the page.
    const [navigation] = performance.getEntriesByType('navigation')
    if ((navigation as PerformanceNavigationTiming | undefined)?.type === 'navigate') {
      void create(form)
    }
  }

  async function create(form: HTMLFormElement): Promise<void> {
    const button = form.querySelector('button')
    show('problem', false)
    show('existing', false)
    show('waiting', true)
    if (button) button.disabled = true
    try {
      const options = JSON.parse(form.dataset['options'] ?? '')
      const credential = await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      })
      send(form, JSON.stringify(credential))
    } catch (error) {
      const isExisting = error instanceof Error && error.name === 'InvalidStateError'
      show(isExisting ? 'existing' : 'problem', true)
    } finally {
      show('waiting', false)
      if (button) button.disabled = false
    }
  }

  /** Submits the form with the credential, which is not kept for a second time. */
  function send(form: HTMLFormElement, credential: string): void {
    if (!response) return
    response.value = credential
    form.requestSubmit()
    response.value = ''
  }

  function show(name: 'unsupported' | 'problem' | 'existing' | 'waiting', isShown: boolean): void {
    const element = document.querySelector<HTMLElement>(`[data-${name}]`)
    if (element) element.hidden = !isShown
  }
}
