import { svg } from '../../providers/logo.ts'

/** The mark of credentials: a person, our own drawing. */
export const CREDENTIALS_STYLE = {
  bg: '#3f3f46',
  text: '#ffffff',
  logo: svg(
    "<g fill='none' stroke='white' stroke-width='2'><circle cx='12' cy='8' r='4'/><path d='M4 20c0-8 16-8 16 0z'/></g>",
  ),
}
