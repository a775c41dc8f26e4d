import type { PasskeyTexts } from './en.ts'

export const de: PasskeyTexts = {
  signIn: 'Mit Passkey anmelden',
  field: 'Deine Passkeys',
  confirm: 'Mit deinem Passkey bestätigen',
  failed: 'Es wurde kein Passkey verwendet. Versuche es noch einmal oder melde dich anders an.',
  heading: 'Passkeys',
  lead: 'Melde dich mit Fingerabdruck, Gesicht oder PIN an, ohne einen anderen Dienst.',
  add: 'Passkey hinzufügen',
  createTitle: 'Passkey hinzufügen',
  createLead:
    'Gib ihm einen Namen, an dem du ihn erkennst, zum Beispiel nach deinem Smartphone oder deinem Passwortmanager.',
  name: 'Name',
  namePlaceholder: 'Mein Smartphone',
  create: 'Passkey erstellen',
  cancel: 'Abbrechen',
  unsupported: 'Dieser Browser unterstützt keine Passkeys, oder JavaScript ist ausgeschaltet.',
  existing: 'Auf diesem Gerät gibt es bereits einen Passkey für dein Konto.',
  createFailed: 'Es wurde kein Passkey erstellt. Bitte versuche es noch einmal.',
  addedOn: (date) => `Hinzugefügt am ${date}`,
  lastUsedOn: (date) => `zuletzt verwendet am ${date}`,
  neverUsed: 'noch nicht verwendet',
  synced: 'auf mehreren Geräten verfügbar',
  notSynced: 'nur auf einem Gerät',
  rename: 'Umbenennen',
  save: 'Speichern',
  remove: (name) => `${name} entfernen`,
  lastMethod:
    'Dieser Passkey ist deine einzige Möglichkeit, dich anzumelden. Um ihn zu entfernen, verknüpfe zuerst ein Konto oder füge einen anderen Passkey hinzu.',
  tooMany:
    'Du hast die größtmögliche Zahl von Passkeys. Entferne einen, um einen anderen hinzuzufügen.',
}
