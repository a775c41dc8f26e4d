import type { PasskeyTexts } from './en.ts'

export const de: PasskeyTexts = {
  method: 'einem Passkey',
  signIn: 'Mit Passkey anmelden',
  confirm: 'Mit deinem Passkey bestätigen',
  waiting: 'Folge den Anweisungen deines Geräts.',
  failed: 'Es wurde kein Passkey verwendet. Versuche es noch einmal oder melde dich anders an.',
  heading: 'Passkeys',
  lead: 'Melde dich mit Fingerabdruck, Gesicht oder der PIN deines Geräts an.',
  add: 'Passkey hinzufügen',
  createTitle: 'Passkey hinzufügen',
  createLead:
    'Jeder Passkey braucht einen Namen, an dem du ihn später erkennst, zum Beispiel „Mein Smartphone“ oder „Arbeitscomputer“.',
  name: 'Name',
  create: 'Passkey erstellen',
  unsupported:
    'Dieser Browser unterstützt keine Passkeys, oder JavaScript ist ausgeschaltet. Verwende einen aktuellen Browser oder schalte JavaScript ein.',
  existing: 'Auf diesem Gerät gibt es bereits einen Passkey für dein Konto.',
  createFailed: 'Es wurde kein Passkey erstellt. Bitte versuche es noch einmal.',
  addedOn: (date) => `Hinzugefügt am ${date}`,
  lastUsedOn: (date) => `zuletzt verwendet am ${date}`,
  neverUsed: 'noch nicht verwendet',
  synced: 'auf mehreren Geräten verfügbar',
  notSynced: 'nur auf einem Gerät gespeichert',
  rename: 'Umbenennen',
  renameTitle: 'Passkey umbenennen',
  save: 'Speichern',
  removal: {
    remove: 'Passkey entfernen',
    title: 'Diesen Passkey entfernen?',
    effect:
      'Du kannst dich hier nicht mehr mit diesem Passkey anmelden. Falls er auf einem Gerät bleibt, lösche ihn auch dort.',
    doneTitle: 'Der Passkey ist entfernt',
  },
  lastMethod:
    'Dieser Passkey ist deine einzige Anmeldemöglichkeit. Um ihn zu entfernen, füge zuerst eine andere Möglichkeit hinzu.',
  tooMany: (count) =>
    `Du hast die Höchstzahl von ${count} Passkeys erreicht. Entferne einen, um einen anderen hinzuzufügen.`,
  deletionNote:
    'Deine Passkeys funktionieren hier nicht mehr. Falls sie auf deinen Geräten bleiben, lösche sie auch dort.',
}
