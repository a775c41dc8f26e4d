/*
 * Shows that a pressed button or link is busy, closes the list of languages, submits a code once it
 * is complete, and counts the seconds until a message can be sent again. Pages work without it.
 */
{
  const languages = document.querySelector<HTMLDetailsElement>('footer details')

  addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    if (languages?.open && !languages.contains(event.target)) languages.open = false
    const link = event.target.closest('a[href]:not([target], [download])')
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey
    if (link && !opensElsewhere && !event.defaultPrevented) showBusy(link)
  })

  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !languages?.open) return
    languages.open = false
    languages.querySelector('summary')?.focus()
  })

  // A form with a script of its own prevents the event and shows its state itself.
  addEventListener('submit', ({ submitter, defaultPrevented }) => {
    const staysHere = submitter?.hasAttribute('formtarget')
    if (submitter && !staysHere && !defaultPrevented) showBusy(submitter)
  })

  // The user may return to the page with the browser's button.
  addEventListener('pagehide', () => {
    for (const element of document.querySelectorAll('[aria-busy]')) {
      element.removeAttribute('aria-busy')
    }
  })

  function showBusy(element: Element): void {
    element.setAttribute('aria-busy', 'true')
  }

  const code = document.querySelector<HTMLInputElement>('input[autocomplete=one-time-code]')
  code?.addEventListener('input', () => {
    if (/^\p{Nd}{6}$/u.test(code.value.replaceAll(/[\s-]/g, ''))) code.form?.requestSubmit()
  })

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
