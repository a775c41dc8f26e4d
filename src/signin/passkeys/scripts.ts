/*
 * The scripts of the pages with passkeys. Everything that differs between pages is in the attributes of the
 * form or of another element, so a script contains no data. A browser that cannot convert the options from JSON does not
 * get the form: it is hidden until the script shows it.
 */

/** Sends the browser's assertion with the form, when the user presses its button or chooses a passkey in another field. */
export const SIGN_IN_SCRIPT = `
for (const form of document.querySelectorAll('#passkey')) {
  const { options, expires } = form.dataset
  const find = (name) => form.querySelector('[data-' + name + ']')
  const button = form.querySelector('button')
  let pending, isAsked = false
  const request = async (mediation) => {
    pending?.abort()
    const current = pending = new AbortController()
    isAsked = mediation === 'optional'
    if (isAsked) find('problem').hidden = true
    find('waiting').hidden = !isAsked
    button.disabled = isAsked
    try {
      const credential = await navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options)),
        mediation,
        signal: current.signal,
      })
      form.elements.credential.value = JSON.stringify(credential)
      form.submit()
    } catch (error) {
      if (current.signal.aborted || mediation === 'conditional') return
      isAsked = find('problem').hidden = false
      offerInField()
    } finally {
      if (current === pending) {
        find('waiting').hidden = true
        button.disabled = false
      }
    }
  }
  const offerInField = async () => {
    const field = document.querySelector('input[type=email], input[autocomplete^=username]')
    if (!form.dataset.conditional || !field) return
    if (!await PublicKeyCredential.isConditionalMediationAvailable?.() || isAsked) return
    if (!field.autocomplete.endsWith('webauthn')) field.autocomplete += ' webauthn'
    request('conditional')
  }
  if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      request('optional')
    })
    addEventListener('focus', () => {
      if (Date.now() > expires * 1000) location.reload()
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    offerInField()
  }
}
`

/** Creates a passkey when the user presses the button, and sends it with the form. */
export const CREATE_SCRIPT = `
{
  const form = document.getElementById('passkey')
  const button = form.querySelector('button')
  const find = (name) => document.querySelector('[data-' + name + ']')
  if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    form.hidden = false
    find('unsupported').hidden = true
    form.elements.name.focus()
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      find('problem').hidden = find('existing').hidden = true
      find('waiting').hidden = false
      button.disabled = true
      try {
        const credential = await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(form.dataset.options)),
        })
        form.elements.credential.value = JSON.stringify(credential)
        form.submit()
      } catch (error) {
        find(error.name === 'InvalidStateError' ? 'existing' : 'problem').hidden = false
      } finally {
        find('waiting').hidden = true
        button.disabled = false
      }
    })
  }
}
`

/** Selects the name, so that the user can type another one at once. */
export const RENAME_SCRIPT = `
{
  const { name } = document.forms[0].elements
  name.focus()
  name.select()
}
`

/** Reports which passkeys are of no use any more, if the browser can delete them. It may not do so; nothing depends on it. */
export const SIGNAL_SCRIPT = `
{
  const { method, options } = document.getElementById('passkey-signal').dataset
  window.PublicKeyCredential?.[method]?.(JSON.parse(options)).catch(() => {})
}
`
