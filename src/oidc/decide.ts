import { OAuthError } from '../errors.ts'

/** Nothing is half issued: when the object cannot be reached, the client tries again. */
export async function decide<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    // biome-ignore lint/style/useErrorCause: it is passed, after the text.
    throw new OAuthError('temporarily_unavailable', 'Please try again.', { cause })
  }
}
