import type { Messages } from './en.ts'

export const fr: Messages = {
  language: 'fr',
  languageName: 'Français',
  signIn: {
    title: 'Se connecter',
    titleFor: (app) => `Se connecter à ${app}`,
    lead: 'Choisissez comment vous connecter.',
    signInWith: (provider) => `Se connecter avec ${provider}`,
    privacyNote:
      'Votre mot de passe reste sur la plateforme. Elle ne partage que ce que vous autorisez.',
    inAppBrowserWarning: 'La connexion échoue souvent à l’intérieur d’une autre application.',
    openInBrowser: 'Ouvrir dans votre navigateur',
    signInWithQrCode: 'Se connecter avec un code QR',
    lastUsed: 'Dernier utilisé',
  },
  qr: {
    lead: (provider) => `Scannez ce code avec l’application ${provider} sur votre téléphone.`,
    scanned: 'Confirmez maintenant sur votre téléphone.',
    expired: 'Ce code a expiré.',
    warning:
      'Ne scannez qu’un code que vous avez demandé vous-même : il ouvre votre session sur l’écran qui l’affiche.',
  },
  signedIn: {
    title: 'Vous êtes connecté',
    as: (name) => `Vous êtes connecté en tant que ${name}.`,
    unnamedUser: 'utilisateur sans nom',
    continue: 'Continuer',
    continueAs: (name) => `Continuer en tant que ${name}`,
    continueTo: (app) => `Continuer vers ${app}`,
    useAnotherAccount: 'Ou utilisez un autre compte :',
  },
  stepUp: {
    signInTitle: 'Veuillez vous reconnecter',
    signInLead:
      'Pour continuer, confirmez que c’est bien vous. Vous pouvez aussi utiliser un autre compte.',
    permissionTitle: (app) => `${app} a besoin d’une autre autorisation`,
    permissionLead: 'Reconnectez-vous avec le même compte et autorisez-y ce qui suit :',
  },
  signOut: {
    title: 'Se déconnecter ?',
    lead: 'Vous devrez vous reconnecter dans toutes les applications qui utilisent cette connexion.',
    confirm: 'Se déconnecter',
    staySignedIn: 'Rester connecté',
  },
  signedOut: {
    title: 'Vous êtes déconnecté',
    lead: 'Vous êtes peut-être encore connecté à la plateforme que vous avez utilisée pour vous connecter ici.',
  },
  consent: {
    title: (app) => `Autoriser ${app} à utiliser votre compte ?`,
    permissionsHeading: 'L’application pourra',
    scopes: {
      openid: 'vous reconnaître',
      profile: 'voir votre nom et votre photo',
      email: 'voir votre adresse e-mail',
      platform: 'voir ce que la plateforme partage à votre sujet, comme votre nombre de followers',
      offline_access: 'faire tout cela même lorsque vous n’utilisez pas l’application',
      'user.info.profile': 'voir votre nom d’utilisateur, votre bio et le lien de votre profil',
      'user.info.stats': 'voir combien de followers, de J’aime et de vidéos vous avez',
      'video.list': 'voir vos vidéos publiques',
    },
    useApi: (api) => `utiliser ${api}`,
    optional:
      'Décochez ce que vous ne voulez pas autoriser. L’application proposera peut-être moins de fonctions.',
    returnsTo: (host) => `Vous retournerez ensuite sur ${host}.`,
    lasts: (duration) =>
      `Sans nouvelle connexion, l’application conserve cet accès ${duration} au maximum.`,
    revocable: 'Vous pouvez le retirer à tout moment sur la page de votre compte.',
    approve: 'Autoriser',
    deny: 'Annuler',
  },
  continuing: { title: 'Encore un instant' },
  account: {
    title: 'Votre compte',
    accountsHeading: 'Moyens de connexion',
    noAccounts: 'Aucun compte n’est associé.',
    addedOn: (date) => `ajouté le ${date}`,
    disconnect: (provider) => `Dissocier ${provider}`,
    onlyMethod: 'Votre seul moyen de connexion. Pour le supprimer, ajoutez-en d’abord un autre.',
    removal: {
      title: (provider) => `Dissocier ${provider} ?`,
      effect:
        'Vous ne pourrez plus vous connecter ici avec ce compte. Le compte lui-même n’est pas supprimé.',
      sessions:
        'Vous êtes déconnecté partout, au cas où quelqu’un d’autre se serait connecté ainsi. Reconnectez-vous ensuite d’une autre façon.',
      keep: 'Conserver',
      doneTitle: (provider) => `Le compte ${provider} est dissocié`,
      signedOut: 'Vous avez été déconnecté partout.',
      signInOtherwise: 'Reconnectez-vous d’une autre façon.',
      unknownTitle: 'Ce moyen de connexion ne fait pas partie de votre compte',
      unknown: 'Il a peut-être déjà été supprimé.',
    },
    link: (provider) => `Associer ${provider}`,
    linkAnother: (provider) => `Associer un autre compte ${provider}`,
    sessionsHeading: 'Où vous êtes connecté',
    unknownBrowser: 'Un navigateur',
    thisBrowser: 'ce navigateur',
    signedInOn: (date) => `connecté le ${date}`,
    lastUsedOn: (date) => `dernière utilisation le ${date}`,
    usedFor: (apps) => `utilisée pour ${apps}`,
    showMore: (count) => `Afficher ${count} de plus`,
    endSession: 'Mettre fin à la session',
    endOtherSessions: 'Se déconnecter partout ailleurs',
    consentsHeading: 'Applications que vous avez autorisées',
    noConsents: 'Aucune pour le moment.',
    withdrawConsent: 'Retirer l’accès',
    dataNote:
      'Un fichier JSON avec votre profil, vos moyens de connexion, vos sessions, les autorisations d’applications et les journaux de sécurité.',
    downloadData: 'Télécharger mes données',
    deleteAccount: 'Supprimer mon compte',
    deleteLead: 'Cette action est irréversible. Si vous supprimez votre compte :',
    deleteEffects: {
      data: 'Votre nom, votre photo, votre adresse e-mail et tous vos moyens de connexion sont supprimés de ce service.',
      accounts: (services) =>
        `Vos comptes auprès d’autres services (${services}) ne sont pas supprimés.`,
      sessions:
        'Vous êtes déconnecté partout et aucune application ne peut plus utiliser votre compte.',
      apps: 'Les applications gardent les données qu’elles ont déjà. Demandez-leur de les supprimer.',
      records: (duration) =>
        `Les journaux de sécurité de ce compte, comme les dates de connexion, sont conservés ${duration}, sans votre nom.`,
      later: 'Si vous vous reconnectez plus tard, vous obtenez un nouveau compte, vide.',
    },
    deletePermanently: 'Supprimer définitivement',
    keepAccount: 'Conserver mon compte',
    deletedTitle: 'Votre compte est supprimé',
    deletedText:
      'La plateforme affiche peut-être encore ce service parmi vos applications connectées. Vous pouvez aussi le retirer de cette liste.',
  },
  actions: {
    tryAgain: 'Réessayer',
    goBack: 'Revenir à la page d’origine',
    goToSignIn: 'Aller à la page de connexion',
    keepCurrentAccount: 'Garder le compte actuel',
    switchAccount: 'Se connecter avec l’autre compte',
    useDifferentAccount: 'Utiliser un autre compte',
    chooseProvider: 'Choisir une autre option de connexion',
    goToAccount: 'Aller à mon compte',
    checkAgain: 'Vérifier à nouveau',
  },
  footer: {
    privacyPolicy: 'Politique de confidentialité',
    terms: 'Conditions d’utilisation',
    language: 'Langue',
  },
  errorPage: {
    code: 'Code',
    reference: 'Référence',
  },
  errors: {
    access_denied: {
      title: 'Connexion annulée',
      text: 'Vous l’avez annulée, ou la plateforme ne permet pas à ce compte de se connecter à d’autres applications. Rien n’a changé. Si vous avez annulé par erreur, réessayez.',
    },
    account_taken: {
      title: 'Ce compte est associé à un autre utilisateur',
      text: 'Un compte ne peut être associé qu’à un seul utilisateur. Si cet utilisateur, c’est aussi vous, connectez-vous avec ce compte, dissociez-le sur la page de votre compte, puis associez-le de nouveau ici.',
    },
    already_signed_in: {
      title: 'Vous êtes déjà connecté',
      text: 'Ce navigateur est connecté avec un autre compte. Choisissez lequel des deux vous voulez utiliser.',
    },
    attempt_missing: {
      title: 'Cette connexion ne peut pas être terminée',
      text: 'Elle a pris trop de temps, était déjà terminée ou a commencé dans un autre navigateur. Veuillez recommencer.',
    },
    client_unknown: {
      title: 'Cette application n’est pas enregistrée',
      text: 'L’application d’où vous venez n’est pas enregistrée auprès de ce service (client_id). Veuillez le signaler aux responsables de l’application : eux seuls peuvent corriger ce problème.',
    },
    code_expired: {
      title: 'La confirmation a expiré',
      text: 'La plateforme a confirmé votre connexion, mais sa confirmation a expiré ou a été utilisée avant que nous puissions la vérifier. Veuillez vous reconnecter.',
    },
    configuration: {
      title: 'Ce service n’est pas configuré correctement',
      text: 'Vous n’y êtes pour rien. Personne ne peut se connecter tant que l’exploitant de ce service n’a pas corrigé ses paramètres. Veuillez lui envoyer la référence ci-dessous.',
    },
    credentials_rejected: {
      title: 'Ce n’était pas correct',
      text: 'Le code ou les informations que vous avez saisis pour vous connecter n’étaient pas corrects. Vérifiez-les et réessayez.',
    },
    cross_site: {
      title: 'Cette demande provient d’un autre site',
      text: 'Elle n’a pas été exécutée, afin de protéger votre compte. Si c’était bien votre intention, ouvrez la page de connexion ou celle de votre compte et recommencez depuis cette page.',
    },
    id_token_hint_refused: {
      title: 'L’application n’a pas pu vous déconnecter',
      text: 'Elle n’a pas envoyé d’id_token_hint valide, nous n’avons donc pas pu vérifier sa demande. Vous êtes peut-être encore connecté : déconnectez-vous ici. Les responsables de l’application peuvent corriger ce problème.',
    },
    internal: {
      title: 'Un problème est survenu de notre côté',
      text: 'Vous n’y êtes pour rien. Veuillez réessayer. Si le problème se reproduit, envoyez la référence ci-dessous à l’exploitant de ce service.',
    },
    method_not_allowed: {
      title: 'Cette page ne s’ouvre pas ainsi',
      text: 'L’adresse appartient à un formulaire ou à une application et n’accepte pas ce type de demande. Recommencez depuis la page de connexion ou celle de votre compte. Si une application vous a envoyé ici, veuillez le signaler à ses responsables.',
    },
    not_allowed: {
      title: 'Vous ne pouvez pas vous connecter avec ce compte',
      text: 'L’exploitant de ce service n’autorise pas ce compte. Utilisez un autre compte, ou contactez l’exploitant en indiquant le code et la référence ci-dessous.',
    },
    not_eligible: {
      title: 'Ce compte ne peut pas encore se connecter ici',
      text: 'Pour l’instant, la plateforme n’autorise que certains comptes de test à se connecter ici. Utilisez un autre compte, ou demandez à l’exploitant de ce service d’ajouter le vôtre.',
    },
    not_found: {
      title: 'Page introuvable',
      text: 'Il n’y a aucune page à cette adresse. Vérifiez qu’elle est bien écrite, ou continuez sur la page de connexion ou celle de votre compte.',
    },
    passkey_rejected: {
      title: 'Cette clé d’accès n’a pas été acceptée',
      text: 'Elle n’est pas enregistrée ici ou n’a pas pu être vérifiée. Rien n’a changé. Essayez une autre clé d’accès, ou connectez-vous autrement et vérifiez les clés d’accès sur la page de votre compte.',
    },
    post_logout_redirect_uri_refused: {
      title: 'La déconnexion a été interrompue',
      text: 'L’application voulait vous envoyer vers une adresse qu’elle n’a pas enregistrée (post_logout_redirect_uri). Vous êtes peut-être encore connecté : déconnectez-vous ici. Les responsables de l’application peuvent corriger ce problème.',
    },
    provider_invalid: {
      title: 'La réponse de la plateforme n’est pas valide',
      text: 'Nous n’avons pas pu vérifier votre identité, vous n’avez donc pas été connecté. Veuillez réessayer. Si le problème se reproduit, envoyez la référence ci-dessous à l’exploitant de ce service.',
    },
    provider_misconfigured: {
      title: 'Cette option de connexion ne fonctionne pas',
      text: 'Vous n’y êtes pour rien, et réessayer ne servira à rien : seul l’exploitant de ce service peut corriger ce problème. Veuillez lui envoyer la référence ci-dessous. Si vous pouvez aussi vous connecter autrement, choisissez cette option.',
    },
    provider_refused: {
      title: 'La plateforme n’a pas accepté notre demande',
      text: 'Vous n’y êtes pour rien, et seul l’exploitant de ce service peut corriger ce problème. Veuillez lui envoyer la référence ci-dessous.',
    },
    provider_unavailable: {
      title: 'La plateforme ne répond pas',
      text: 'Elle est surchargée ou rencontre un problème temporaire, vous n’avez donc pas été connecté. Veuillez réessayer dans une minute.',
    },
    provider_unknown: {
      title: 'Cette option de connexion n’existe pas',
      text: 'La plateforme indiquée dans cette adresse n’est pas disponible ici. La page de connexion affiche celles qui le sont.',
    },
    redirect_uri_refused: {
      title: 'Cette application ne peut pas recevoir votre connexion',
      text: 'Elle voulait recevoir le résultat à une adresse qu’elle n’a pas enregistrée (redirect_uri). Veuillez le signaler aux responsables de l’application : eux seuls peuvent corriger ce problème.',
    },
    request_invalid: {
      title: 'Cette demande n’est pas valide',
      text: 'Une partie manque, est répétée ou n’a pas le bon format. Retournez dans l’application et recommencez. Si le problème se reproduit, veuillez le signaler aux responsables de l’application.',
    },
    request_too_large: {
      title: 'Cette demande est trop volumineuse',
      text: 'L’adresse, le formulaire ou les cookies envoyés par votre navigateur sont trop longs. Supprimez les cookies de ce site, puis retournez dans l’application et recommencez.',
    },
    return_url_refused: {
      title: 'Ce lien mène à un site inconnu',
      text: 'Après la connexion, il vous enverrait vers une adresse qui n’est pas enregistrée auprès de ce service (callbackUrl), nous nous sommes donc arrêtés ici. Si ce lien vient d’une application, veuillez le signaler à ses responsables.',
    },
    scope_missing: {
      title: 'Une autorisation nécessaire manque',
      text: 'Sur la page de la plateforme, vous avez désactivé une autorisation nécessaire ici. Veuillez vous reconnecter en la laissant activée.',
    },
    sign_in_again: {
      title: 'Reconnectez-vous d’abord',
      text: 'Pour protéger votre compte, une nouvelle connexion est nécessaire avant toute modification, même si vous venez de vous connecter. Reconnectez-vous, puis refaites la modification dans les dix minutes.',
    },
    too_many_guesses: {
      title: 'Trop de tentatives incorrectes',
      text: 'Vos saisies ont été incorrectes trop de fois, cette connexion a donc été interrompue pour protéger le compte. Veuillez patienter un moment, puis recommencer.',
    },
    too_many_requests: {
      title: 'Trop de demandes',
      text: 'Votre adresse réseau a envoyé trop de demandes en peu de temps. Veuillez patienter une minute, puis réessayer.',
    },
    unavailable: {
      title: 'Indisponible pour le moment',
      text: 'Ce service rencontre un problème temporaire et n’a pas pu traiter votre demande. Si vous étiez en train de modifier quelque chose, la modification est peut-être incomplète. Veuillez réessayer dans une minute.',
    },
    user_blocked: {
      title: 'Votre compte est bloqué',
      text: 'L’exploitant de ce service a bloqué votre compte, vous ne pouvez donc pas vous connecter avec celui-ci. Si vous pensez qu’il s’agit d’une erreur, contactez-le en indiquant la référence ci-dessous.',
    },
  },
}
