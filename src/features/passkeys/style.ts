/** Is shown in the language of the page. A name that the deployment chooses is not translated. */
export const DEFAULT_NAME = 'Passkey'
