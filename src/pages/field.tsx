interface FieldProps {
  /** Unique on the page; by default the name. */
  id?: string
  name: string
  label: string
  type?: string
  value?: string | undefined
  placeholder?: string | undefined
  autocomplete?: string
  inputmode?: 'numeric' | 'email'
  isRequired?: boolean
  hasFocus?: boolean
  maxLength?: number
  /** What the browser accepts, as a regular expression. */
  pattern?: string
  /** Explains why the value was not accepted. */
  error?: string | undefined
  /** The direction of the value, if it is not that of the page. */
  dir?: 'ltr'
  /** Whether the value is a code, which is shown in large digits. */
  isCode?: boolean
}

/** An input with its label and, if its value was not accepted, the reason. */
export function Field(props: FieldProps) {
  const { name, label, type = 'text', error, isRequired = true, hasFocus, isCode } = props
  const { id = name } = props
  const errorId = error ? `${id}-error` : undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        class={isCode ? 'code' : undefined}
        id={id}
        name={name}
        type={type}
        value={props.value}
        placeholder={props.placeholder}
        autocomplete={props.autocomplete}
        inputmode={props.inputmode}
        maxlength={props.maxLength}
        pattern={props.pattern}
        dir={props.dir}
        required={isRequired}
        autofocus={hasFocus}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={errorId}
      />
      {error && (
        <p class="error" id={errorId} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Hidden inputs. */
export function HiddenFields({ fields }: { fields: Iterable<readonly [string, string]> }) {
  return (
    <>
      {[...fields].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

/** The rules that pages with fields need. */
export const FIELD_CSS = `
.field{display:grid;gap:.5rem}
.field label{font-weight:600}
.field input{width:100%;min-height:3rem;padding:.5rem .75rem;background:var(--surface);border:1px solid var(--muted);border-radius:var(--radius);color:inherit;font:inherit}
.field input:focus-visible{outline-offset:0}
.field input::placeholder{color:var(--muted);opacity:1}
.field input[aria-invalid]{border-color:var(--danger)}
.field .code{font-family:monospace;font-size:1.5rem;letter-spacing:.25em}
.error{color:var(--danger)}
`
