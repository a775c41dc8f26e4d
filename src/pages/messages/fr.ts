import type { Messages } from './en.ts'

export const fr: Messages = {
  language: 'fr',
  languageName: 'Français',
  signIn: {
    title: 'Se connecter',
    titleFor: (app) => `Se connecter à ${app}`,
    lead: 'Choisissez comment vous connecter.',
    signInWith: (provider) => `Se connecter avec ${provider}`,
    privacyNote: (provider) =>
      provider
        ? `Votre mot de passe reste sur ${provider}. ${provider} ne partage que ce que vous autorisez.`
        : 'Vos mots de passe restent sur ces services. Ils ne partagent que ce que vous autorisez.',
    inAppBrowserWarning:
      'Vous avez ouvert cette page dans une autre application, où la connexion échoue souvent.',
    openInBrowser: 'Ouvrir dans votre navigateur',
    signInWithQrCode: (provider) => `Scanner un code QR avec l’application ${provider}`,
    or: 'ou',
    newUserNote: 'Première visite ? Votre compte est créé lorsque vous vous connectez.',
    lastUsed: 'Utilisé la dernière fois',
    sessionEnded:
      'Ce navigateur n’est plus connecté : vous vous êtes peut-être déconnecté depuis un autre, ou il n’a pas été utilisé depuis longtemps.',
  },
  qr: {
    lead: (provider) => `Scannez ce code avec l’application ${provider} sur votre téléphone.`,
    scanned: 'Confirmez maintenant la connexion sur votre téléphone.',
    expired: 'Ce code a expiré.',
    newCode: 'Afficher un nouveau code',
    warning:
      'Ne scannez qu’un code que vous avez demandé vous-même : l’appareil qui l’affiche sera connecté à votre compte.',
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
    signInTitle: 'Confirmez que c’est bien vous',
    signInLead: (change) =>
      change
        ? `Pour protéger votre compte, « ${change} » nécessite une nouvelle connexion, même si vous venez de vous connecter.`
        : 'Pour protéger votre compte, veuillez vous reconnecter avant de continuer.',
    confirmedLater: 'Rien ne change tant que vous ne l’avez pas confirmé sur la page suivante.',
    permissionTitle: (app) => `${app} demande un accès supplémentaire`,
    permissionLead: 'Reconnectez-vous et autorisez ce qui suit sur la page qui s’ouvre :',
    permissionLeadWith: (provider) =>
      `Reconnectez-vous avec ${provider} et autorisez ce qui suit sur la page qui s’ouvre :`,
  },
  signOut: {
    title: 'Se déconnecter ?',
    lead: 'Vous devrez vous reconnecter dans toutes les applications qui utilisent cette connexion.',
    confirm: 'Se déconnecter',
    staySignedIn: 'Rester connecté',
  },
  signedOut: {
    title: 'Vous êtes déconnecté',
    lead: (provider) => `Votre session est peut-être encore ouverte sur ${provider}.`,
  },
  consent: {
    title: (app) => `Autoriser ${app} à utiliser votre compte ?`,
    permissionsHeading: 'L’application pourra :',
    scopes: {
      openid: 'vous reconnaître lorsque vous revenez',
      profile: 'voir votre nom, votre nom d’utilisateur, votre photo et le lien de votre profil',
      email: 'voir votre adresse e-mail',
      platform:
        'voir ce que le service avec lequel vous vous connectez partage à votre sujet, comme votre nombre de followers',
      offline_access: 'conserver cet accès même lorsque vous n’utilisez pas l’application',
      'user.info.profile': 'voir votre nom d’utilisateur, votre bio et le lien de votre profil',
      'user.info.stats': 'voir combien de followers, de J’aime et de vidéos vous avez',
      'video.list': 'voir vos vidéos publiques',
    },
    noEmail: 'aucune pour l’instant ; vaut aussi pour celle que vous ajouteriez plus tard',
    useApi: (api) => `utiliser ${api}`,
    alwaysIncluded: 'Toujours inclus',
    optional:
      'Décochez ce que vous ne voulez pas autoriser. L’application proposera peut-être moins de fonctions.',
    returnsTo: (host) => `Vous retournerez ensuite sur ${host}.`,
    lasts: (duration) =>
      `L’application conserve cet accès ${duration} au maximum après votre dernière connexion à cette application.`,
    revocable: 'Vous pouvez le retirer à tout moment sur la page de votre compte.',
    approve: 'Autoriser',
    deny: 'Ne pas autoriser',
  },
  continuing: {
    title: 'Continuez pour terminer la connexion',
    lead: 'Si rien ne se passe, appuyez sur le bouton.',
  },
  account: {
    title: 'Votre compte',
    done: {
      linked: (provider) => `Vous pouvez maintenant vous connecter avec ${provider}.`,
      alreadyLinked: (provider) =>
        `Ce compte ${provider} était déjà associé. Pour en associer un autre, changez d’abord de compte sur ${provider}.`,
      passkeyAdded: 'La clé d’accès a été ajoutée.',
      passkeyRenamed: 'La clé d’accès a été renommée.',
      sessionEnded: (device) => `La session a été fermée (${device}).`,
      otherSessionsEnded: 'Tous vos autres appareils ont été déconnectés.',
      consentWithdrawn: (app) =>
        `${app} ne peut plus utiliser votre compte, mais conserve les données déjà reçues.`,
      confirmed: (change) =>
        change
          ? `Merci. Vous avez maintenant dix minutes pour « ${change} ».`
          : 'Merci. Refaites maintenant ce que vous vouliez faire. Vous avez dix minutes.',
    },
    created: 'Votre nouveau compte a été créé lors de la connexion.',
    accountsHeading: 'Moyens de connexion',
    noAccounts: 'Aucun compte n’est associé.',
    addedOn: (date) => `ajouté le ${date}`,
    disconnect: (provider) => `Dissocier ${provider}`,
    onlyMethod: 'Votre seul moyen de connexion. Pour le supprimer, ajoutez-en d’abord un autre.',
    removal: {
      title: (provider) => `Dissocier ${provider} ?`,
      effect: (provider) =>
        `Vous ne pourrez plus vous connecter ici avec ce compte ${provider}. Votre compte sur ${provider} ne sera pas supprimé.`,
      sessions: (methods) =>
        `Pour protéger votre compte, vous serez déconnecté partout, y compris ici. Reconnectez-vous ensuite avec ${methods}.`,
      doneTitle: (provider) => `Le compte ${provider} est dissocié`,
      signedOut: 'Vous avez été déconnecté partout.',
      signInAgain: (methods) => `Reconnectez-vous avec ${methods}.`,
      unknownTitle: 'Ce moyen de connexion ne fait pas partie de votre compte',
    },
    addMethod: 'Ajouter un moyen de connexion',
    link: (provider) => `Associer ${provider}`,
    linkAnother: (provider) => `Associer un autre compte ${provider}`,
    sessionsHeading: 'Où vous êtes connecté',
    unknownBrowser: 'Un navigateur',
    thisBrowser: 'ce navigateur',
    signedInOn: (date, provider) =>
      provider ? `connecté avec ${provider} le ${date}` : `connecté le ${date}`,
    lastUsedOn: (date) => `dernière utilisation le ${date}`,
    usedFor: (apps) => `connecté à ${apps}`,
    endOtherSessions: 'Se déconnecter partout ailleurs',
    consentsHeading: 'Applications que vous avez autorisées',
    noConsents: 'Aucune application d’une autre entreprise pour le moment.',
    withdrawConsent: 'Retirer l’accès',
    withdrawal: {
      title: (app) => `Retirer l’accès de l’application ${app} ?`,
      effect: (app) =>
        `${app} ne pourra plus utiliser votre compte, mais conservera les données déjà reçues.`,
      later:
        'Si vous vous reconnectez à cette application, elle demandera à nouveau l’accès à votre compte.',
    },
    dataHeading: 'Vos données',
    dataNote:
      'Vous pouvez télécharger un fichier (JSON) avec votre profil, vos moyens de connexion, vos sessions, les autorisations d’applications et les journaux de sécurité.',
    downloadData: 'Télécharger mes données',
    deleteAccount: 'Supprimer mon compte',
    deleteLead: 'Cette action est irréversible. Si vous supprimez votre compte :',
    deleteEffects: {
      data: 'Votre profil et tous vos moyens de connexion sont supprimés de ce service.',
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
    deletedTitle: 'Votre compte est supprimé',
    deletedConnections: (providers) =>
      `Ce service figure peut-être encore parmi vos applications connectées sur ${providers}. Vous pouvez aussi l’y retirer.`,
  },
  actions: {
    cancel: 'Annuler',
    tryAgain: 'Réessayer',
    goBack: 'Retour',
    goBackTo: (app) => `Revenir à ${app}`,
    goToSignIn: 'Aller à la page de connexion',
    keepCurrentAccount: 'Garder le compte actuel',
    switchAccount: 'Se connecter avec l’autre compte',
    useDifferentAccount: 'Utiliser un autre compte',
    chooseProvider: 'Choisir un autre moyen de connexion',
    goToAccount: 'Aller à mon compte',
    checkAgain: 'Vérifier à nouveau',
    showMore: (count) => `Afficher ${count} de plus`,
  },
  footer: {
    privacyPolicy: (app) => `Politique de confidentialité de ${app}`,
    terms: (app) => `Conditions d’utilisation de ${app}`,
    language: 'Langue',
  },
  errorPage: {
    code: 'Code d’erreur',
    parameter: 'Paramètre',
    reference: 'Référence',
    otherAccount: (account) => `L’autre compte : ${account}`,
    contact: 'Contacter l’assistance',
  },
  errors: {
    access_denied: {
      title: 'La connexion n’a pas eu lieu',
      text: (provider = 'le service avec lequel vous vous connectez') =>
        `La connexion a été annulée. Rien n’a changé et vous pouvez réessayer à tout moment. Si vous ne l’avez pas annulée, il est possible que ${provider} ne permette pas à ce compte de se connecter à d’autres applications.`,
    },
    account_taken: {
      title: 'Déjà associé à un autre compte',
      text: 'Ce moyen de connexion appartient déjà à un autre compte de ce service. Vous pouvez continuer à utiliser les deux comptes, ou vous connecter par ce moyen, le dissocier de l’autre compte, puis l’associer à celui-ci.',
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
      text: 'L’application d’où vous venez n’est pas enregistrée auprès de ce service. Veuillez le signaler aux responsables de l’application : eux seuls peuvent corriger ce problème.',
    },
    code_expired: {
      title: 'La confirmation a expiré',
      text: (provider = 'Le service avec lequel vous vous connectez') =>
        `${provider} a confirmé votre connexion, mais cette confirmation a expiré ou a été utilisée avant que nous puissions la vérifier. Veuillez vous reconnecter.`,
    },
    configuration: {
      title: 'Ce service n’est pas configuré correctement',
      text: 'Vous n’y êtes pour rien. Personne ne peut se connecter tant que l’exploitant de ce service n’a pas corrigé ses paramètres. Veuillez lui envoyer la référence ci-dessous.',
    },
    credentials_rejected: {
      title: 'Informations incorrectes',
      text: 'Le code ou les informations que vous avez saisis pour vous connecter n’étaient pas corrects. Vérifiez-les et réessayez.',
    },
    cross_site: {
      title: 'Cette demande provient d’un autre site',
      text: 'Elle n’a pas été exécutée, afin de protéger votre compte. Si c’était bien votre intention, ouvrez la page de connexion ou celle de votre compte et recommencez depuis cette page.',
    },
    id_token_hint_refused: {
      title: 'L’application n’a pas pu vous déconnecter',
      text: 'Sa demande de déconnexion n’était pas valide, nous ne l’avons donc pas exécutée. Vous êtes peut-être encore connecté : déconnectez-vous ici. Les responsables de l’application peuvent corriger ce problème.',
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
      text: (provider = 'le service avec lequel vous vous connectez') =>
        `Pour l’instant, ${provider} n’autorise que certains comptes de test à se connecter ici. Utilisez un autre compte, ou demandez à l’exploitant de ce service d’ajouter le vôtre.`,
    },
    not_found: {
      title: 'Page introuvable',
      text: 'Il n’y a aucune page à cette adresse. Vérifiez qu’elle est bien écrite, ou continuez sur la page de connexion ou celle de votre compte.',
    },
    passkey_rejected: {
      title: 'Cette clé d’accès n’a pas été acceptée',
      text: 'Elle n’a pas pu être vérifiée. Rien n’a changé. Essayez une autre clé d’accès, ou connectez-vous autrement et vérifiez les clés d’accès sur la page de votre compte.',
    },
    passkey_unknown: {
      title: 'Cette clé d’accès n’est pas enregistrée ici',
      text: 'Elle a peut-être été supprimée, ou son compte l’a été. Connectez-vous autrement. Si votre appareil propose encore cette clé d’accès, supprimez-la des mots de passe qui y sont enregistrés.',
    },
    post_logout_redirect_uri_refused: {
      title: 'La déconnexion a été interrompue',
      text: 'L’application voulait vous envoyer vers une adresse qu’elle n’a pas enregistrée. Vous êtes peut-être encore connecté : déconnectez-vous ici. Les responsables de l’application peuvent corriger ce problème.',
    },
    provider_invalid: {
      title: (provider = 'Le service avec lequel vous vous connectez') =>
        `${provider} a envoyé une réponse non valide`,
      text: 'Nous n’avons pas pu vérifier votre identité, vous n’avez donc pas été connecté. Veuillez réessayer. Si le problème se reproduit, envoyez la référence ci-dessous à l’exploitant de ce service.',
    },
    provider_misconfigured: {
      title: 'Ce moyen de connexion ne fonctionne pas',
      text: 'Vous n’y êtes pour rien, et il est inutile de réessayer : seul l’exploitant de ce service peut corriger ce problème. Veuillez lui envoyer la référence ci-dessous. Si vous disposez d’un autre moyen de connexion, utilisez-le.',
    },
    provider_refused: {
      title: (provider = 'Le service avec lequel vous vous connectez') =>
        `${provider} n’a pas accepté notre demande`,
      text: 'Vous n’y êtes pour rien, et seul l’exploitant de ce service peut corriger ce problème. Veuillez lui envoyer la référence ci-dessous.',
    },
    provider_unavailable: {
      title: (provider = 'Le service avec lequel vous vous connectez') =>
        `${provider} ne répond pas`,
      text: (provider = 'Le service avec lequel vous vous connectez') =>
        `${provider} connaît une surcharge ou un problème temporaire, vous n’avez donc pas été connecté. Veuillez réessayer dans une minute.`,
    },
    provider_unknown: {
      title: 'Ce moyen de connexion n’existe pas',
      text: 'Le moyen de connexion indiqué dans cette adresse n’est pas disponible ici. Consultez la page de connexion pour voir les moyens disponibles.',
    },
    redirect_uri_refused: {
      title: 'Cette application ne peut pas recevoir votre connexion',
      text: 'Elle voulait recevoir le résultat à une adresse qu’elle n’a pas enregistrée. Veuillez le signaler aux responsables de l’application : eux seuls peuvent corriger ce problème.',
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
      text: 'Après la connexion, il vous enverrait vers une adresse qui n’est pas enregistrée auprès de ce service, nous nous sommes donc arrêtés ici. Si ce lien vient d’une application, veuillez le signaler à ses responsables.',
    },
    scope_missing: {
      title: 'Une autorisation nécessaire manque',
      text: (provider = 'un autre service') =>
        `Lors de la connexion avec ${provider}, vous avez désactivé une autorisation nécessaire ici. Veuillez vous reconnecter en la laissant activée.`,
    },
    sign_in_again: {
      title: 'Reconnectez-vous d’abord',
      text: 'Pour protéger votre compte, cette action nécessite une nouvelle connexion. Reconnectez-vous, puis refaites dans les dix minutes ce que vous vouliez faire.',
    },
    too_many_guesses: {
      title: 'Trop de tentatives incorrectes',
      text: 'Vos saisies ont été incorrectes trop de fois, cette connexion a donc été interrompue pour protéger le compte. Veuillez recommencer. Si cela est également refusé, attendez 15 minutes.',
    },
    too_many_requests: {
      title: 'Trop de demandes',
      text: 'Trop de demandes sont venues de vous ou de votre réseau en peu de temps. Veuillez patienter une minute, puis réessayer.',
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
