import type { PasskeyTexts } from './en.ts'

export const de: PasskeyTexts = {
  signIn: 'Mit Passkey anmelden',
  field: 'Ihre Passkeys',
  confirm: 'Mit Ihrem Passkey bestätigen',
  confirmLead: 'Bestätigen Sie, dass Sie es sind, um fortzufahren.',
  failed:
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  heading: 'Passkeys',
  lead: 'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN an, ohne einen anderen Dienst.',
  add: 'Passkey hinzufügen',
  createTitle: 'Passkey hinzufügen',
  createLead:
    'Geben Sie ihm einen Namen, an dem Sie ihn erkennen, zum Beispiel Ihr Telefon oder Ihren Passwortmanager.',
  name: 'Name',
  namePlaceholder: 'Mein Telefon',
  create: 'Passkey erstellen',
  cancel: 'Abbrechen',
  unsupported: 'Dieser Browser unterstützt keine Passkeys, oder JavaScript ist ausgeschaltet.',
  existing: 'Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto.',
  createFailed: 'Es wurde kein Passkey erstellt. Bitte versuchen Sie es noch einmal.',
  addedOn: (date) => `Hinzugefügt am ${date}`,
  lastUsedOn: (date) => `zuletzt verwendet am ${date}`,
  neverUsed: 'noch nicht verwendet',
  synced: 'auf mehreren Geräten verfügbar',
  notSynced: 'nur auf einem Gerät',
  rename: 'Umbenennen',
  save: 'Speichern',
  remove: (name) => `${name} entfernen`,
  lastMethod:
    'Dieser Passkey ist Ihre einzige Möglichkeit, sich anzumelden. Um ihn zu entfernen, verknüpfen Sie zuerst ein Konto oder fügen Sie einen anderen Passkey hinzu.',
  tooMany:
    'Sie haben die größtmögliche Zahl von Passkeys. Entfernen Sie einen, um einen anderen hinzuzufügen.',
}
