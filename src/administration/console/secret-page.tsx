import type { PropsWithChildren } from 'hono/jsx'
import { Facts } from './console-parts.tsx'

type SecretPageProps = PropsWithChildren<{
  /** The title of the field with the id of the registration, and the id. */
  idTitle: string
  id: string
  secret: string
  /** Whether there is a former secret, which stays valid. */
  isReplacement: boolean
  back: string
}>

/** A new secret. It is stored as a digest or sealed, so it is not shown again. */
export function SecretPage(props: SecretPageProps) {
  const { idTitle, id, secret, isReplacement, back, children } = props
  return (
    <>
      <p>
        Copy the secret now. It is shown only this once, because it is not stored in readable form.
        If it is lost, create a new one.
      </p>
      <Facts facts={[[idTitle, { code: id }]]} />
      <p class="secret" id="secret">
        {secret}
      </p>
      <p class="note">
        Click to select the whole secret.{' '}
        {isReplacement && 'The former secret stays valid until you remove it.'}
      </p>
      <CopyButton of="secret">Copy the secret</CopyButton>
      {children}
      <div class="row">
        <a class="primary" href={back}>
          I have copied it
        </a>
      </div>
    </>
  )
}

/** Copies the text of an element. The script of the console shows it. */
export function CopyButton({ of, children }: PropsWithChildren<{ of: string }>) {
  return (
    <div class="row">
      <button class="small" type="button" data-copy={of} hidden>
        {children}
      </button>
    </div>
  )
}

/** The same as an icon, next to what it copies. */
export function CopyIcon({ of, label }: { of: string; label: string }) {
  return (
    <button class="copy" type="button" data-copy={of} aria-label={label} title={label} hidden>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M9 9h11v11H9zM5 15H4V4h11v1" />
      </svg>
    </button>
  )
}
