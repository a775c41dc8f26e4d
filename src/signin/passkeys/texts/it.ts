import type { PasskeyTexts } from './en.ts'

export const it: PasskeyTexts = {
  method: 'una passkey',
  signIn: 'Accedi con una passkey',
  confirm: 'Conferma con la tua passkey',
  waiting: 'Segui le istruzioni del tuo dispositivo.',
  failed: 'Non è stata usata nessuna passkey. Riprova o accedi in un altro modo.',
  heading: 'Passkey',
  lead: 'Accedi con l’impronta, il volto o il PIN del dispositivo.',
  add: 'Aggiungi una passkey',
  createTitle: 'Aggiungi una passkey',
  createLead:
    'Ogni passkey deve avere un nome per riconoscerla in seguito, per esempio “Il mio telefono” o “Computer dell’ufficio”.',
  name: 'Nome',
  create: 'Crea passkey',
  unsupported:
    'Questo browser non supporta le passkey, oppure JavaScript è disattivato. Usa un browser aggiornato o attiva JavaScript.',
  existing: 'Questo dispositivo ha già una passkey per il tuo account.',
  createFailed: 'Non è stata creata nessuna passkey. Riprova.',
  addedOn: (date) => `Aggiunta il ${date}`,
  lastUsedOn: (date) => `usata l’ultima volta il ${date}`,
  neverUsed: 'non ancora usata',
  synced: 'disponibile su più dispositivi',
  notSynced: 'salvata su un solo dispositivo',
  rename: 'Rinomina',
  renameTitle: 'Rinomina passkey',
  save: 'Salva',
  removal: {
    remove: 'Rimuovi passkey',
    title: 'Rimuovere questa passkey?',
    effect:
      'Non potrai più accedere qui con questa passkey. Se resta su un dispositivo, eliminala anche lì.',
    doneTitle: 'La passkey è stata rimossa',
  },
  lastMethod:
    'Questa passkey è il tuo unico modo per accedere. Per rimuoverla, aggiungi prima un altro modo.',
  tooMany: (count) =>
    `Hai raggiunto il limite di ${count} passkey. Rimuovine una per aggiungerne un’altra.`,
  deletionNote:
    'Le tue passkey qui non funzionano più. Se restano sui tuoi dispositivi, eliminale anche lì.',
}
