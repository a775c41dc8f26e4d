import { svg } from '../../providers/logo.ts'

/** The mark of email: an envelope, our own drawing. */
export const EMAIL_STYLE = {
  bg: '#3f3f46',
  text: '#ffffff',
  logo: svg(
    "<path fill='none' stroke='white' stroke-width='2' stroke-linejoin='round' d='M3 6h18v12H3zl9 7 9-7'/>",
  ),
}

/** Is shown in the language of the page. A name that the deployment chooses is not translated. */
export const DEFAULT_NAME = 'Email'
