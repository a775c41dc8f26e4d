import type { EmailTexts } from './en.ts'

export const it: EmailTexts = {
  name: 'Email',
  method: 'l’email',
  removal: {
    remove: 'Rimuovi questo indirizzo',
    title: 'Rimuovere questo indirizzo email?',
    effect: 'Non potrai più accedere qui con questo indirizzo.',
    doneTitle: 'L’indirizzo email è stato rimosso',
  },
  address: {
    title: 'Accedi con l’email',
    label: 'Indirizzo email',
    send: 'Ricevi un codice via email',
    invalid: 'Questo non è un indirizzo email. Inseriscine uno come nome@example.com.',
    tooMany: (duration) => `Sono stati richiesti troppi messaggi. Riprova tra ${duration}.`,
    linkTitle: 'Aggiungi un indirizzo email',
    linkAnother: 'Aggiungi un altro indirizzo email',
    linkLead: 'Poi potrai accedere con un codice che invieremo a questo indirizzo.',
    linkConfirm: 'Aggiungi questo indirizzo',
  },
  code: {
    title: 'Controlla la posta',
    linkTitle: 'Conferma il tuo indirizzo email',
    lead: (address) =>
      `Abbiamo inviato un messaggio a ${address}. Inserisci qui il codice di sei cifre oppure apri il link del messaggio in questo browser.`,
    label: 'Codice di sei cifre',
    wrong: (remaining) => `Il codice non è corretto. Tentativi rimasti: ${remaining}.`,
    notArrived: 'Nessun messaggio dopo un minuto? Controlla l’indirizzo e la cartella spam.',
    sendAgain: 'Invia di nuovo',
    sentAgain: 'Abbiamo inviato di nuovo il messaggio. Il codice è lo stesso.',
    wait: 'Attendi mezzo minuto prima di richiedere di nuovo il messaggio.',
    otherAddress: 'Usa un altro indirizzo',
  },
  link: {
    title: 'Completa l’accesso',
    lead: (address) => `Premi il pulsante per accedere con ${address}.`,
    linkLead: (address) => `Premi il pulsante per aggiungere ${address} al tuo account.`,
  },
  elsewhere: {
    title: 'Inserisci il codice dove hai iniziato',
    lead: 'Questo link funziona una sola volta e solo nel browser in cui l’hai richiesto. Torna lì e inserisci il codice di sei cifre del messaggio.',
    startedIn: (browser) => `Richiesto in: ${browser}`,
    warning:
      'Se non l’hai richiesto, ignora il messaggio e non dare il codice a nessuno: chi lo possiede può accedere al tuo account.',
  },
  message: {
    subject: (app) => `Il tuo codice per accedere a ${app}`,
    lead: (app) => `Il tuo codice per accedere a ${app}:`,
    linkSubject: (host) => `Il tuo codice per aggiungere questo indirizzo su ${host}`,
    linkLead: (host) => `Il tuo codice per aggiungere questo indirizzo al tuo account di ${host}:`,
    link: 'Oppure apri questo link nel browser in cui hai richiesto il codice:',
    button: 'Accedi',
    validity: (duration) => `Usa il codice oppure il link, una sola volta, entro ${duration}.`,
    onlyAt: (host) =>
      `Inserisci il codice solo su ${host}. Non darlo a nessuno, nemmeno a chi dice di lavorare per noi.`,
    requestedFrom: (origin) => `Richiesto da: ${origin}`,
    ignore: 'Se non l’hai richiesto, ignora questo messaggio. Senza il codice non succede nulla.',
  },
}
