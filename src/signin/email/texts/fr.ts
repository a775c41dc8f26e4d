import type { EmailTexts } from './en.ts'

export const fr: EmailTexts = {
  name: 'E-mail',
  method: 'votre adresse e-mail',
  removal: {
    remove: 'Supprimer cette adresse',
    title: 'Supprimer cette adresse e-mail ?',
    effect: 'Vous ne pourrez plus vous connecter ici avec cette adresse.',
    doneTitle: 'L’adresse e-mail est supprimée',
  },
  address: {
    title: 'Se connecter par e-mail',
    label: 'Adresse e-mail',
    send: 'Recevoir un code par e-mail',
    invalid: 'Ce n’est pas une adresse e-mail. Saisissez-en une comme nom@example.com.',
    tooMany: (duration) => `Trop de messages ont été demandés. Réessayez dans ${duration}.`,
    linkTitle: 'Ajouter une adresse e-mail',
    linkAnother: 'Ajouter une autre adresse e-mail',
    linkLead: 'Vous pourrez ensuite vous connecter avec un code envoyé à cette adresse.',
    linkConfirm: 'Ajouter cette adresse',
  },
  code: {
    title: 'Consultez vos e-mails',
    linkTitle: 'Confirmez votre adresse e-mail',
    lead: (address) =>
      `Nous avons envoyé un message à ${address}. Saisissez ici le code à six chiffres qu’il contient, ou ouvrez son lien dans ce navigateur.`,
    label: 'Code à six chiffres',
    wrong: (remaining) => `Ce code n’est pas correct. Essais restants : ${remaining}.`,
    notArrived:
      'Pas de message au bout d’une minute ? Vérifiez l’adresse et le dossier de courrier indésirable.',
    sendAgain: 'Renvoyer le message',
    sentAgain: 'Nous avons renvoyé le message. Le code est le même.',
    wait: 'Patientez une demi-minute avant de faire renvoyer le message.',
    otherAddress: 'Utiliser une autre adresse',
  },
  link: {
    title: 'Terminer la connexion',
    lead: (address) => `Appuyez sur le bouton pour vous connecter avec ${address}.`,
    linkLead: (address) => `Appuyez sur le bouton pour ajouter ${address} à votre compte.`,
  },
  elsewhere: {
    title: 'Saisissez le code là où vous avez commencé',
    lead: 'Ce lien fonctionne une seule fois, et uniquement dans le navigateur où vous l’avez demandé. Retournez-y et saisissez le code à six chiffres du message.',
    startedIn: (browser) => `Demandé dans : ${browser}`,
    warning:
      'Si vous ne l’avez pas demandé, ignorez le message et ne donnez le code à personne : quiconque l’obtient peut se connecter à votre compte.',
  },
  message: {
    subject: (app) => `Votre code de connexion à ${app}`,
    lead: (app) => `Votre code pour vous connecter à ${app} :`,
    linkSubject: (host) => `Votre code pour ajouter cette adresse sur ${host}`,
    linkLead: (host) => `Votre code pour ajouter cette adresse à votre compte ${host} :`,
    link: 'Ou ouvrez ce lien dans le navigateur où vous avez demandé le code :',
    button: 'Se connecter',
    validity: (duration) =>
      `Utilisez soit le code, soit le lien, une seule fois, dans un délai de ${duration}.`,
    onlyAt: (host) =>
      `Saisissez le code uniquement sur ${host}. Ne le donnez à personne, même à quelqu’un qui prétend travailler pour nous.`,
    requestedFrom: (origin) => `Demandé depuis : ${origin}`,
    ignore: 'Si vous n’avez rien demandé, ignorez ce message. Sans le code, il ne se passera rien.',
  },
}
