import { svg } from '../../providers/logo.ts'

/** The mark of email: an envelope, our own drawing. */
export const EMAIL_STYLE = {
  bg: '#3f3f46',
  text: '#ffffff',
  logo: svg(
    "<path fill='none' stroke='white' stroke-width='2' stroke-linejoin='round' d='M3 6h18v12H3zl9 7 9-7'/>",
  ),
}
