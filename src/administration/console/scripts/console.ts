/*
 * Says in which time zone the browser is, focuses the search when its key is pressed, copies a text, offers
 * the browser's colours, proposes the ID of a client, and shows its look after each change. Pages
 * work without it.
 */
{
  // Host cookies exist on https only. The server names the time zone from the next page on.
  const prefix = location.protocol === 'https:' ? '__Host-' : ''
  const security = prefix && '; Secure'
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and younger.
  document.cookie = `${prefix}vestibule.zone=${timeZone}; Path=/; Max-Age=31536000; SameSite=Lax${security}`

  const key = document.querySelector<HTMLButtonElement>('.key')
  if (key) {
    // WCAG 2.1.4: users of speech input, and those who press keys by mistake, can switch it off.
    const setUsed = (isUsed: boolean) => {
      key.ariaPressed = String(isUsed)
      document.querySelector<HTMLElement>('.hint')?.toggleAttribute('hidden', !isUsed)
    }
    key.hidden = false
    setUsed(localStorage.getItem('search-key') !== 'off')
    key.addEventListener('click', () => {
      setUsed(key.ariaPressed !== 'true')
      localStorage.setItem('search-key', key.ariaPressed === 'true' ? 'on' : 'off')
    })
    addEventListener('keydown', (event) => {
      const isTyping = (event.target as Element).matches('input, select, textarea')
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey
      if (event.key !== '/' || isTyping || hasModifier || key.ariaPressed !== 'true') return
      event.preventDefault()
      document.querySelector<HTMLInputElement>('input[type=search]')?.select()
    })
  }

  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset['copy'] ?? '')
      await navigator.clipboard.writeText(source?.textContent?.trim() ?? '')
      // An icon stays, and its name changes.
      if (button.ariaLabel) button.ariaLabel = button.title = 'Copied'
      else button.textContent = 'Copied'
      button.classList.add('copied')
    })
  }

  for (const picker of document.querySelectorAll<HTMLInputElement>('input[type=color]')) {
    const text = picker.previousElementSibling as HTMLInputElement
    picker.hidden = false
    text.addEventListener('input', () => {
      picker.value = text.value
    })
    picker.addEventListener('input', () => {
      text.value = picker.value
    })
  }

  const name = document.querySelector<HTMLInputElement>('[name=client_name]')
  const id = document.querySelector<HTMLInputElement>('[name=client_id]:not([readonly])')
  let proposedId = ''
  name?.addEventListener('input', () => {
    if (!id || id.value !== proposedId) return
    const letters = name.value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    proposedId = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
    id.value = proposedId
  })

  const preview = document.querySelector<HTMLButtonElement>('[formtarget=preview]')
  const shown = ['client_id', 'client_name', 'logo_uri', 'brand_color']
  preview?.form?.addEventListener('change', ({ target }) => {
    const { name, type } = target as HTMLInputElement
    if (shown.includes(name) || type === 'color') preview.form?.requestSubmit(preview)
  })
  preview?.form?.requestSubmit(preview)
}
