import type { EmailTexts } from './en.ts'

export const de: EmailTexts = {
  address: {
    title: 'Mit E-Mail anmelden',
    label: 'E-Mail-Adresse',
    send: 'Code per E-Mail senden',
    invalid: 'Das ist keine E-Mail-Adresse. Geben Sie eine wie name@example.com ein.',
    tooMany:
      'Es wurden zu viele Nachrichten angefordert. Warten Sie eine Weile, oder melden Sie sich auf andere Weise an.',
    linkTitle: 'E-Mail-Adresse hinzufügen',
  },
  code: {
    title: 'Sehen Sie in Ihre E-Mails',
    lead: (address) =>
      `Wir haben eine Nachricht an ${address} gesendet. Geben Sie den sechsstelligen Code daraus hier ein, oder öffnen Sie den Link in diesem Browser.`,
    label: 'Sechsstelliger Code',
    wrong: (remaining) => `Dieser Code ist nicht richtig. Verbleibende Versuche: ${remaining}.`,
    notArrived: 'Nach einer Minute keine Nachricht? Prüfen Sie die Adresse und Ihren Spam-Ordner.',
    sendAgain: 'Erneut senden',
    sentAgain: 'Wir haben die Nachricht erneut gesendet.',
    wait: 'Warten Sie eine halbe Minute, bevor Sie die Nachricht erneut senden lassen.',
    otherAddress: 'Andere Adresse verwenden',
  },
  link: {
    title: 'Anmeldung abschließen',
    lead: (address) => `Sie haben den Link geöffnet, den wir an ${address} gesendet haben.`,
  },
  elsewhere: {
    title: 'Geben Sie den Code dort ein, wo Sie begonnen haben',
    lead: 'Dieser Link funktioniert einmal und nur in dem Browser, in dem die Anmeldung begonnen wurde. Kehren Sie dorthin zurück, und geben Sie den sechsstelligen Code aus der Nachricht ein.',
    startedIn: (browser) => `Begonnen in: ${browser}`,
    warning:
      'Wenn Sie keine Anmeldung begonnen haben, ignorieren Sie die Nachricht, und geben Sie den Code niemandem: Wer ihn hat, kann sich als Sie anmelden.',
  },
  message: {
    subject: (app) => `Anmeldung bei ${app}`,
    lead: (app) => `Ihr Code für die Anmeldung bei ${app}:`,
    link: 'Oder öffnen Sie diesen Link in dem Browser, in dem Sie begonnen haben:',
    button: 'Anmelden',
    validity: (duration) => `Code und Link funktionieren einmal. Gültigkeit: ${duration}.`,
    onlyAt: (host) =>
      `Geben Sie den Code nur auf ${host} ein. Geben Sie ihn niemandem, auch nicht angeblichen Mitarbeitern.`,
    requestedFrom: (origin) => `Angefordert von: ${origin}`,
    ignore:
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht. Ohne sie kann sich niemand anmelden.',
  },
}
