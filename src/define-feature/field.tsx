import type { HtmlEscapedString } from 'hono/utils/html'

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
  /** What a complete code matches, without spaces and hyphens. The page then sends its form. */
  completeCode?: string
  isUpperCase?: boolean
}

/**
 * An input with its label and, if its value was not accepted, the reason. The package exports it, so
 * that its type must not need those of the DOM.
 */
export function Field(props: FieldProps): HtmlEscapedString | Promise<HtmlEscapedString> {
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
        data-complete={props.completeCode}
        autocapitalize={props.isUpperCase ? 'characters' : undefined}
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
