import type { PasskeyTexts } from './en.ts'

export const fr: PasskeyTexts = {
  method: 'une clé d’accès',
  signIn: 'Se connecter avec une clé d’accès',
  confirm: 'Confirmer avec votre clé d’accès',
  waiting: 'Suivez les instructions de votre appareil.',
  failed: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou connectez-vous autrement.',
  heading: 'Clés d’accès',
  lead: 'Connectez-vous avec votre empreinte, votre visage ou le code de votre appareil.',
  add: 'Ajouter une clé d’accès',
  createTitle: 'Ajouter une clé d’accès',
  createLead:
    'Chaque clé d’accès doit avoir un nom qui vous permettra de la reconnaître, par exemple « Mon téléphone » ou « Ordinateur du bureau ».',
  name: 'Nom',
  create: 'Créer la clé d’accès',
  unsupported:
    'Ce navigateur ne prend pas en charge les clés d’accès, ou JavaScript est désactivé. Utilisez un navigateur récent ou activez JavaScript.',
  existing: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  createFailed: 'Aucune clé d’accès n’a été créée. Veuillez réessayer.',
  addedOn: (date) => `Ajoutée le ${date}`,
  lastUsedOn: (date) => `utilisée pour la dernière fois le ${date}`,
  neverUsed: 'pas encore utilisée',
  synced: 'disponible sur plusieurs appareils',
  notSynced: 'enregistrée sur un seul appareil',
  rename: 'Renommer',
  renameTitle: 'Renommer la clé d’accès',
  save: 'Enregistrer',
  removal: {
    remove: 'Supprimer la clé d’accès',
    title: 'Supprimer cette clé d’accès ?',
    effect:
      'Vous ne pourrez plus vous connecter ici avec cette clé d’accès. Si elle reste sur un appareil, supprimez-la là aussi.',
    doneTitle: 'La clé d’accès est supprimée',
  },
  lastMethod:
    'Cette clé d’accès est votre seul moyen de connexion. Pour la supprimer, ajoutez d’abord un autre moyen.',
  tooMany: (count) =>
    `Vous avez atteint la limite de ${count} clés d’accès. Supprimez-en une pour en ajouter une autre.`,
  deletionNote:
    'Vos clés d’accès ne fonctionnent plus ici. Si elles restent sur vos appareils, supprimez-les là aussi.',
}
