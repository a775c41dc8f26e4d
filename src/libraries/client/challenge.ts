/** Reads the parameters of the challenge of a response (RFC 9110 §11.6.1). */
export function challengeOf({ headers }: Response): (name: string) => string | undefined {
  const challenge = headers.get('WWW-Authenticate') ?? ''
  return (name) =>
    challenge
      .match(new RegExp(`\\b${name}=(?:"([^"]*)"|([^\\s,]+))`))
      ?.slice(1)
      .find(Boolean)
}
