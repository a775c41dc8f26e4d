/*
 * Reports which passkeys are of no use any more, if the browser can delete them. It may not do so;
 * nothing depends on it. {@link https://www.w3.org/TR/webauthn-3/#sctn-signal-methods}
 */
{
  type Signal = 'signalUnknownCredential' | 'signalAllAcceptedCredentials'
  type Report = (options: unknown) => Promise<void>

  const { method, options = '' } = document.getElementById('passkey-signal')?.dataset ?? {}
  const methods = window.PublicKeyCredential as unknown as Partial<Record<Signal, Report>>
  const report = methods?.[method as Signal]
  report?.call(methods, JSON.parse(options)).catch(() => {})
}
