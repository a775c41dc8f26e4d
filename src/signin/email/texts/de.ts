import type { EmailTexts } from './en.ts'

export const de: EmailTexts = {
  name: 'E-Mail',
  method: 'E-Mail',
  removal: {
    remove: 'Diese Adresse entfernen',
    title: 'Diese E-Mail-Adresse entfernen?',
    effect: 'Du kannst dich hier nicht mehr mit dieser Adresse anmelden.',
    doneTitle: 'Die E-Mail-Adresse ist entfernt',
  },
  address: {
    title: 'Mit E-Mail anmelden',
    label: 'E-Mail-Adresse',
    send: 'Code per E-Mail senden',
    invalid: 'Das ist keine E-Mail-Adresse. Gib eine wie name@example.com ein.',
    tooMany: (duration) =>
      `Es wurden zu viele Nachrichten angefordert. Versuche es in ${duration} noch einmal.`,
    linkTitle: 'E-Mail-Adresse hinzufügen',
    linkAnother: 'Weitere E-Mail-Adresse hinzufügen',
    linkLead: 'Danach kannst du dich mit einem Code anmelden, den wir an diese Adresse senden.',
    linkConfirm: 'Diese Adresse hinzufügen',
  },
  code: {
    title: 'Sieh in deinen E-Mails nach',
    linkTitle: 'Bestätige deine E-Mail-Adresse',
    lead: (address) =>
      `Wir haben eine Nachricht an ${address} gesendet. Gib den sechsstelligen Code daraus hier ein oder öffne den Link in diesem Browser.`,
    label: 'Sechsstelliger Code',
    wrong: (remaining) => `Dieser Code ist nicht richtig. Verbleibende Versuche: ${remaining}.`,
    notArrived: 'Nach einer Minute keine Nachricht? Prüfe die Adresse und deinen Spam-Ordner.',
    sendAgain: 'Erneut senden',
    sentAgain: 'Wir haben die Nachricht erneut gesendet. Der Code ist derselbe.',
    wait: 'Warte eine halbe Minute, bevor du die Nachricht erneut senden lässt.',
    otherAddress: 'Andere Adresse verwenden',
  },
  link: {
    title: 'Anmeldung abschließen',
    lead: (address) => `Drücke auf die Schaltfläche, um dich mit ${address} anzumelden.`,
    linkLead: (address) =>
      `Drücke auf die Schaltfläche, um ${address} zu deinem Konto hinzuzufügen.`,
  },
  elsewhere: {
    title: 'Gib den Code dort ein, wo du begonnen hast',
    lead: 'Dieser Link funktioniert einmal und nur in dem Browser, in dem du ihn angefordert hast. Kehre dorthin zurück und gib den sechsstelligen Code aus der Nachricht ein.',
    startedIn: (browser) => `Angefordert in: ${browser}`,
    warning:
      'Wenn du ihn nicht angefordert hast, ignoriere die Nachricht und gib den Code nicht weiter: Wer ihn hat, kann sich mit deinem Konto anmelden.',
  },
  message: {
    subject: (app) => `Dein Code für die Anmeldung bei ${app}`,
    lead: (app) => `Dein Code für die Anmeldung bei ${app}:`,
    linkSubject: (host) => `Dein Code, um diese Adresse bei ${host} hinzuzufügen`,
    linkLead: (host) => `Dein Code, um diese Adresse zu deinem Konto bei ${host} hinzuzufügen:`,
    link: 'Oder öffne diesen Link in dem Browser, in dem du den Code angefordert hast:',
    button: 'Anmelden',
    validity: (duration) =>
      `Verwende entweder den Code oder den Link, einmal und innerhalb von ${duration}.`,
    onlyAt: (host) =>
      `Gib den Code nur auf ${host} ein. Gib ihn nicht weiter, auch nicht an angebliche Mitarbeiter.`,
    requestedFrom: (origin) => `Angefordert von: ${origin}`,
    ignore:
      'Wenn du das nicht angefordert hast, ignoriere diese Nachricht. Ohne den Code passiert nichts.',
  },
}
