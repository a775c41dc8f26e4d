import type { EmailTexts } from './en.ts'

export const it: EmailTexts = {
  name: 'Email',
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
    tooMany: 'Sono stati richiesti troppi messaggi. Attendi un po’ o accedi in un altro modo.',
    linkTitle: 'Aggiungi un indirizzo email',
  },
  code: {
    title: 'Controlla la posta',
    lead: (address) =>
      `Abbiamo inviato un messaggio a ${address}. Inserisci qui il codice di sei cifre oppure apri il link del messaggio in questo browser.`,
    label: 'Codice di sei cifre',
    wrong: (remaining) => `Il codice non è corretto. Tentativi rimasti: ${remaining}.`,
    notArrived: 'Nessun messaggio dopo un minuto? Controlla l’indirizzo e la cartella spam.',
    sendAgain: 'Invia di nuovo',
    sentAgain: 'Abbiamo inviato di nuovo il messaggio.',
    wait: 'Attendi mezzo minuto prima di richiedere di nuovo il messaggio.',
    otherAddress: 'Usa un altro indirizzo',
  },
  link: {
    title: 'Completa l’accesso',
    lead: (address) => `Hai aperto il link che abbiamo inviato a ${address}.`,
  },
  elsewhere: {
    title: 'Inserisci il codice dove hai iniziato',
    lead: 'Questo link funziona una sola volta e solo nel browser in cui è stato iniziato l’accesso. Torna lì e inserisci il codice di sei cifre del messaggio.',
    startedIn: (browser) => `Iniziato in: ${browser}`,
    warning:
      'Se non hai iniziato un accesso, ignora il messaggio e non dare il codice a nessuno: chi lo possiede può accedere al posto tuo.',
  },
  message: {
    subject: (app) => `Accesso a ${app}`,
    lead: (app) => `Il tuo codice per accedere a ${app}:`,
    link: 'Oppure apri questo link nel browser in cui hai iniziato:',
    button: 'Accedi',
    validity: (duration) => `Il codice e il link funzionano una volta, per ${duration}.`,
    onlyAt: (host) =>
      `Inserisci il codice solo su ${host}. Non darlo a nessuno, nemmeno a chi dice di lavorare per noi.`,
    requestedFrom: (origin) => `Richiesto da: ${origin}`,
    ignore: 'Se non l’hai richiesto, ignora questo messaggio. Senza di esso nessuno può accedere.',
  },
}
