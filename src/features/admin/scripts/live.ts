/*
 * Updates the live view of the console every ten seconds, while its switch is on and the page is
 * visible. The page works without it, after it is loaded again.
 */
{
  const INTERVAL = 10_000 // milliseconds

  const view = document.querySelector<HTMLElement>('[data-live]')
  const control = document.querySelector<HTMLElement>('.polling')
  const toggle = control?.querySelector('input')
  const state = document.querySelector<HTMLElement>('.poll-state')

  /** What changes. The rest keeps the focus, and whether the table is open. */
  const parts = ['.tiles', '.chart', 'table']

  const update = async () => {
    if (!view || !state || !toggle?.checked || document.hidden) return
    try {
      const headers = { 'X-Live-View': view.dataset['live'] ?? '' }
      const response = await fetch('/admin/live/counts', { headers })
      if (response.status === 404) {
        toggle.checked = false
        toggle.disabled = true
        state.textContent =
          'The updates have stopped after a while. Load the page again to continue.'
        return
      }
      if (!response.ok) throw new Error(String(response.status))
      const next = new DOMParser().parseFromString(await response.text(), 'text/html')
      for (const part of parts) {
        const replacement = next.querySelector(part)
        if (replacement) view.querySelector(part)?.replaceWith(replacement)
      }
      state.textContent = `Updated at ${new Date().toLocaleTimeString('en-GB')}.`
    } catch {
      state.textContent = 'The last update has failed. It is repeated.'
    }
  }

  if (control && toggle) {
    control.hidden = false
    setInterval(update, INTERVAL)
    toggle.addEventListener('change', update)
    document.addEventListener('visibilitychange', update)
  }
}
