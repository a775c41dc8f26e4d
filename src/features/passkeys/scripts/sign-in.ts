/*
 * Sends the browser's assertion with the form, when the user presses its button or chooses a
 * passkey in another field. The form is hidden until this script has found that the browser can
 * convert its options from JSON.
 */
for (const form of document.querySelectorAll<HTMLFormElement>('#passkey')) {
  const { options = '', expires, conditional } = form.dataset
  const button = form.querySelector('button')
  const response = form.querySelector<HTMLInputElement>('[name=credential]')
  let pending: AbortController | undefined
  let isAsked = false

  if (typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function') {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      if (response?.value) return
      event.preventDefault()
      void request('optional')
    })
    addEventListener('focus', () => {
      if (Date.now() > Number(expires) * 1000) location.reload()
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    void offerInField()
  }

  async function request(mediation: 'optional' | 'conditional'): Promise<void> {
    pending?.abort()
    const current = new AbortController()
    pending = current
    isAsked = mediation === 'optional'
    if (isAsked) show('problem', false)
    showWaiting(isAsked)
    try {
      const credential = await navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options)),
        mediation,
        signal: current.signal,
      })
      send(JSON.stringify(credential))
    } catch {
      if (current.signal.aborted || mediation === 'conditional') return
      isAsked = false
      show('problem', true)
      void offerInField()
    } finally {
      if (current === pending) showWaiting(false)
    }
  }

  /** Submits the form with the assertion, which is not kept for a second time. */
  function send(credential: string): void {
    if (!response) return
    response.value = credential
    form.requestSubmit()
    response.value = ''
  }

  /** Lets the browser offer passkeys in the first field that identifies a user. */
  async function offerInField(): Promise<void> {
    const field = document.querySelector<HTMLInputElement>(
      'input[type=email], input[autocomplete^=username]',
    )
    if (!conditional || !field) return
    const isAvailable = await PublicKeyCredential.isConditionalMediationAvailable?.()
    if (!isAvailable || isAsked) return
    if (!field.autocomplete.endsWith('webauthn')) {
      field.setAttribute('autocomplete', `${field.autocomplete} webauthn`)
    }
    void request('conditional')
  }

  function showWaiting(isWaiting: boolean): void {
    show('waiting', isWaiting)
    if (button) button.disabled = isWaiting
  }

  function show(name: 'problem' | 'waiting', isShown: boolean): void {
    const element = form.querySelector<HTMLElement>(`[data-${name}]`)
    if (element) element.hidden = !isShown
  }
}
