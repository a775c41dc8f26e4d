/*
 * Shows that a pressed button or link is busy, ignores a form that is submitted again meanwhile,
 * closes the list of languages, submits a code once it is complete, searches a long list of ways to
 * sign in, and counts the seconds until a message can be sent again. Pages work without it.
 */
{
  /** A browser that has not left the page by then was stopped by the user. */
  const MAX_BUSY_TIME = 20_000 // milliseconds

  /** A browser that downloads a file stays on the page, and does not say when it has finished. */
  const DOWNLOAD_TIME = 2_000 // milliseconds

  const languages = document.querySelector<HTMLDetailsElement>('footer details')

  addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    if (languages?.open && !languages.contains(event.target)) languages.open = false
    const link = event.target.closest('a[href]:not([target], [download], [href^="#"])')
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey
    if (link && !opensElsewhere && !event.defaultPrevented) showBusy(link)
  })

  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !languages?.open) return
    languages.open = false
    languages.querySelector('summary')?.focus()
  })

  // Before the scripts of forms, which would handle the event otherwise.
  addEventListener(
    'submit',
    (event) => {
      if (!(event.target as Element).querySelector('button[aria-busy]')) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )

  // A form with a script of its own prevents the event and shows its state itself.
  addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    const form = target as HTMLFormElement
    const button = submitter ?? form.querySelector('[type=submit]')
    const staysHere = submitter?.hasAttribute('formtarget')
    if (!button || staysHere || defaultPrevented) return
    showBusy(button, 'download' in form.dataset ? DOWNLOAD_TIME : MAX_BUSY_TIME)
  })

  // The user may return to the page with the browser's button.
  addEventListener('pagehide', endBusy)

  let timer: ReturnType<typeof setTimeout> | undefined

  function showBusy(element: Element, maxTime = MAX_BUSY_TIME): void {
    element.setAttribute('aria-busy', 'true')
    clearTimeout(timer)
    timer = setTimeout(endBusy, maxTime)
  }

  function endBusy(): void {
    clearTimeout(timer)
    for (const element of document.querySelectorAll('[aria-busy]')) {
      element.removeAttribute('aria-busy')
    }
  }

  const code = document.querySelector<HTMLInputElement>('input[data-complete]')
  code?.addEventListener('input', () => {
    const { selectionStart, selectionEnd, autocapitalize, dataset } = code
    if (autocapitalize === 'characters') {
      code.value = code.value.toUpperCase()
      code.setSelectionRange(selectionStart, selectionEnd)
    }
    const entered = code.value.replaceAll(/[\s\p{Pd}]/gu, '')
    if (new RegExp(dataset['complete'] ?? '', 'u').test(entered)) code.form?.requestSubmit()
  })

  const search = document.querySelector<HTMLInputElement>('.more input')
  if (search) {
    const choices = [...document.querySelectorAll<HTMLElement>('.more a')]
    const [before = '', after = ''] = search.dataset['label']?.split('…') ?? []
    const noMatch = document.querySelector<HTMLElement>('.more [data-no-match]')
    if (search.parentElement) search.parentElement.hidden = false
    search.addEventListener('input', () => {
      const text = search.value.trim().toLowerCase()
      for (const choice of choices) {
        const name = choice.textContent?.replace(before, '').replace(after, '') ?? ''
        choice.hidden = !name.toLowerCase().includes(text)
      }
      if (noMatch) noMatch.hidden = choices.some(({ hidden }) => !hidden)
    })
  }

  const waiting = document.querySelector<HTMLButtonElement>('[data-wait]')
  if (waiting) {
    const label = waiting.textContent
    const { wait, waitText = '' } = waiting.dataset
    const endsAt = Date.now() + Number(wait) * 1000
    const update = () => {
      const seconds = Math.ceil((endsAt - Date.now()) / 1000)
      waiting.disabled = seconds > 0
      waiting.textContent =
        seconds > 0 ? waitText.replace('0:00', `0:${String(seconds).padStart(2, '0')}`) : label
      if (seconds > 0) setTimeout(update, 250)
    }
    update()
  }
}
