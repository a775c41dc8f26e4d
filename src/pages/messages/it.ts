import type { Messages } from './en.ts'

export const it: Messages = {
  language: 'it',
  languageName: 'Italiano',
  signIn: {
    title: 'Accedi',
    titleFor: (app) => `Accedi a ${app}`,
    lead: 'Scegli come vuoi accedere.',
    signInWith: (provider) => `Accedi con ${provider}`,
    privacyNote: (provider) =>
      provider
        ? `La tua password resta su ${provider}, che condivide solo ciò che autorizzi.`
        : 'Le tue password restano su questi servizi, che condividono solo ciò che autorizzi.',
    inAppBrowserWarning:
      'Hai aperto questa pagina all’interno di un’altra app, dove l’accesso spesso non riesce.',
    openInBrowser: 'Apri nel tuo browser',
    signInWithQrCode: (provider) => `Scansiona un codice QR con l’app ${provider}`,
    or: 'oppure',
    newUserNote: 'È la tua prima volta qui? Il tuo account viene creato quando accedi.',
    lastUsed: 'Usato l’ultima volta',
    sessionEnded:
      'La sessione in questo browser non è più attiva: forse l’hai chiusa da un altro browser o non usi questo da molto tempo.',
  },
  qr: {
    lead: (provider) => `Scansiona questo codice con l’app ${provider} sul tuo telefono.`,
    scanned: 'Ora conferma l’accesso sul telefono.',
    expired: 'Questo codice è scaduto.',
    newCode: 'Mostra un nuovo codice',
    warning:
      'Scansiona solo un codice che hai richiesto tu: il dispositivo che lo mostra accederà al tuo account.',
  },
  signedIn: {
    title: 'Hai già effettuato l’accesso',
    as: (name) => `Hai effettuato l’accesso come ${name}.`,
    unnamedUser: 'utente senza nome',
    continue: 'Continua',
    continueAs: (name) => `Continua come ${name}`,
    continueTo: (app) => `Continua su ${app}`,
    useAnotherAccount: 'Oppure usa un altro account:',
  },
  stepUp: {
    signInTitle: 'Conferma che sei tu',
    signInLead: (change) =>
      change
        ? `Per proteggere il tuo account, “${change}” richiede un nuovo accesso, anche se l’hai appena effettuato.`
        : 'Per proteggere il tuo account, accedi di nuovo prima di continuare.',
    confirmedLater: 'Non cambia nulla finché non lo confermi nella pagina successiva.',
    permissionTitle: (app) => `${app} richiede un accesso aggiuntivo`,
    permissionLead: 'Accedi di nuovo e autorizza quanto segue nella pagina che si apre:',
    permissionLeadWith: (provider) =>
      `Accedi di nuovo con ${provider} e autorizza quanto segue nella pagina che si apre:`,
  },
  signOut: {
    title: 'Vuoi uscire?',
    lead: 'Dovrai accedere di nuovo in tutte le app che usano questo accesso.',
    confirm: 'Esci',
    staySignedIn: 'Non uscire',
  },
  signedOut: {
    title: 'Disconnessione effettuata',
    lead: (provider) => `L’accesso potrebbe essere ancora attivo su ${provider}.`,
  },
  consent: {
    title: (app) => `Consentire a ${app} di usare il tuo account?`,
    permissionsHeading: 'L’app potrà:',
    scopes: {
      openid: 'riconoscerti quando torni',
      profile: 'vedere il tuo nome, il tuo nome utente, la tua foto e il link del tuo profilo',
      email: 'vedere il tuo indirizzo email',
      platform:
        'vedere ciò che il servizio con cui accedi condivide su di te, come il numero dei tuoi follower',
      offline_access: 'mantenere questa autorizzazione anche quando non usi l’app',
      'user.info.profile': 'vedere il tuo nome utente, la tua bio e il link del tuo profilo',
      'user.info.stats': 'vedere quanti follower, Mi piace e video hai',
      'video.list': 'vedere i tuoi video pubblici',
    },
    noEmail: 'ancora nessuno; vale anche per quello che aggiungerai',
    useApi: (api) => `usare ${api}`,
    alwaysIncluded: 'Sempre incluso',
    optional: 'Deseleziona ciò che non vuoi consentire. L’app potrebbe offrire meno funzioni.',
    returnsTo: (host) => `Poi tornerai su ${host}.`,
    lasts: (duration) =>
      `L’app mantiene questa autorizzazione al massimo per ${duration} dal tuo ultimo accesso all’app.`,
    revocable: 'Puoi revocarla in qualsiasi momento dalla pagina del tuo account.',
    approve: 'Consenti',
    deny: 'Non consentire',
  },
  continuing: {
    title: 'Continua per completare l’accesso',
    lead: 'Se non succede nulla, premi il pulsante.',
  },
  account: {
    title: 'Il tuo account',
    done: {
      linked: (provider) => `Ora puoi accedere con ${provider}.`,
      alreadyLinked: (provider) =>
        `Questo account ${provider} era già collegato. Per collegarne un altro, cambia prima account su ${provider}.`,
      passkeyAdded: 'La passkey è stata aggiunta.',
      passkeyRenamed: 'La passkey è stata rinominata.',
      sessionEnded: (device) => `La sessione è stata chiusa (${device}).`,
      otherSessionsEnded: 'Tutte le altre sessioni sono state chiuse.',
      consentWithdrawn: (app) =>
        `${app} non può più usare il tuo account, ma conserva i dati che ha già.`,
      confirmed: (change) =>
        change
          ? `Grazie. Ora hai dieci minuti per “${change}”.`
          : 'Grazie. Ora ripeti ciò che volevi fare. Hai dieci minuti.',
    },
    created: 'Il tuo nuovo account è stato creato al momento dell’accesso.',
    accountsHeading: 'Modi per accedere',
    noAccounts: 'Nessun account collegato.',
    addedOn: (date) => `aggiunto il ${date}`,
    disconnect: (provider) => `Scollega ${provider}`,
    onlyMethod: 'Il tuo unico modo per accedere. Per rimuoverlo, aggiungine prima un altro.',
    removal: {
      title: (provider) => `Scollegare ${provider}?`,
      effect: (provider) =>
        `Non potrai più accedere qui con questo account ${provider}. Il tuo account su ${provider} non verrà eliminato.`,
      sessions: (methods) =>
        `Per proteggere il tuo account, tutte le tue sessioni verranno chiuse, anche questa. Poi accedi di nuovo con ${methods}.`,
      doneTitle: (provider) => `L’account ${provider} è stato scollegato`,
      signedOut: 'Tutte le tue sessioni sono state chiuse.',
      signInAgain: (methods) => `Accedi di nuovo con ${methods}.`,
      unknownTitle: 'Questo modo per accedere non fa parte del tuo account',
    },
    addMethod: 'Aggiungi un modo per accedere',
    link: (provider) => `Collega ${provider}`,
    linkAnother: (provider) => `Collega un altro account ${provider}`,
    sessionsHeading: 'Dove hai effettuato l’accesso',
    unknownBrowser: 'Un browser',
    thisBrowser: 'questo browser',
    signedInOn: (date, provider) =>
      provider ? `accesso con ${provider} il ${date}` : `accesso il ${date}`,
    lastUsedOn: (date) => `ultimo utilizzo il ${date}`,
    usedFor: (apps) => `accesso a ${apps}`,
    endOtherSessions: 'Esci da tutte le altre sessioni',
    consentsHeading: 'App a cui hai dato accesso',
    noConsents: 'Nessuna app di altre aziende al momento.',
    withdrawConsent: 'Revoca l’accesso',
    withdrawal: {
      title: (app) => `Revocare l’accesso di ${app}?`,
      effect: (app) =>
        `${app} non potrà più usare il tuo account, ma conserverà i dati che ha già.`,
      later: 'Se torni ad accedere a questa app, ti verrà chiesta di nuovo l’autorizzazione.',
    },
    dataHeading: 'I tuoi dati',
    dataNote:
      'Puoi scaricare un file (JSON) con il tuo profilo, i modi per accedere, le sessioni, le autorizzazioni delle app e i registri di sicurezza.',
    downloadData: 'Scarica i tuoi dati',
    deleteAccount: 'Elimina il tuo account',
    deleteLead: 'Questa operazione non può essere annullata. Se elimini il tuo account:',
    deleteEffects: {
      data: 'Il tuo profilo e tutti i modi per accedere vengono eliminati da questo servizio.',
      accounts: (services) =>
        `I tuoi account presso altri servizi (${services}) non vengono eliminati.`,
      sessions: 'Esci da tutte le sessioni e nessuna app può più usare il tuo account.',
      apps: 'Le app conservano i dati che hanno già. Chiedi loro di eliminarli.',
      records: (duration) =>
        `I registri di sicurezza di questo account, come le date di accesso, vengono conservati per ${duration}, senza il tuo nome.`,
      later: 'Se in seguito accedi di nuovo, avrai un account nuovo e vuoto.',
    },
    deletePermanently: 'Elimina definitivamente',
    deletedTitle: 'Il tuo account è stato eliminato',
    deletedConnections: (providers) =>
      `Questo servizio potrebbe comparire ancora tra le tue app collegate su ${providers}. Puoi rimuoverlo anche da lì.`,
  },
  actions: {
    cancel: 'Annulla',
    tryAgain: 'Riprova',
    goBack: 'Indietro',
    goBackTo: (app) => `Torna a ${app}`,
    goToSignIn: 'Vai alla pagina di accesso',
    keepCurrentAccount: 'Continua con l’account attuale',
    switchAccount: 'Accedi con l’altro account',
    useDifferentAccount: 'Usa un altro account',
    chooseProvider: 'Scegli un altro modo per accedere',
    goToAccount: 'Vai al tuo account',
    checkAgain: 'Controlla di nuovo',
    showMore: (count) => `Mostra altre ${count}`,
  },
  footer: {
    privacyPolicy: (app) => `Informativa sulla privacy di ${app}`,
    terms: (app) => `Termini di servizio di ${app}`,
    language: 'Lingua',
  },
  errorPage: {
    code: 'Codice di errore',
    parameter: 'Parametro',
    reference: 'Riferimento',
    otherAccount: (account) => `L’altro account: ${account}`,
    contact: 'Contatta l’assistenza',
  },
  errors: {
    access_denied: {
      title: 'L’accesso non è avvenuto',
      text: (provider = 'il servizio con cui accedi') =>
        `L’accesso è stato annullato. Non è cambiato nulla e puoi riprovare quando vuoi. Se non l’hai annullato tu, forse ${provider} non consente a questo account di accedere ad altre app.`,
    },
    account_taken: {
      title: 'Già collegato a un altro account',
      text: 'Questo modo per accedere appartiene già a un altro account di questo servizio. Puoi continuare a usare entrambi gli account, oppure accedere in questo modo, scollegarlo lì e poi collegarlo qui.',
    },
    already_signed_in: {
      title: 'C’è già un accesso attivo',
      text: 'In questo browser hai effettuato l’accesso con un altro account. Scegli quale dei due vuoi usare.',
    },
    attempt_missing: {
      title: 'Non è possibile completare questo accesso',
      text: 'Ha richiesto troppo tempo, era già stato completato o è iniziato in un altro browser. Ricomincia da capo.',
    },
    client_unknown: {
      title: 'Questa app non è registrata',
      text: 'L’app da cui arrivi non è registrata presso questo servizio. Segnalalo ai responsabili dell’app: solo loro possono risolvere il problema.',
    },
    code_expired: {
      title: 'La conferma è scaduta',
      text: (provider = 'Il servizio con cui accedi') =>
        `${provider} ha confermato il tuo accesso, ma la conferma è scaduta o è stata usata prima che potessimo verificarla. Accedi di nuovo.`,
    },
    configuration: {
      title: 'Questo servizio non è configurato correttamente',
      text: 'Non dipende da te. Nessuno può accedere finché il gestore di questo servizio non corregge le impostazioni. Inviagli il riferimento riportato sotto.',
    },
    credentials_rejected: {
      title: 'Dati non corretti',
      text: 'Il codice o i dati che hai inserito per accedere non erano corretti. Controllali e riprova.',
    },
    cross_site: {
      title: 'Questa richiesta proviene da un altro sito',
      text: 'Per proteggere il tuo account, non è stata eseguita. Se volevi farlo, apri la pagina di accesso o quella del tuo account e procedi da lì.',
    },
    id_token_hint_refused: {
      title: 'L’app non è riuscita a farti uscire',
      text: 'La sua richiesta di farti uscire non era valida, quindi non l’abbiamo eseguita. L’accesso potrebbe essere ancora attivo: puoi uscire qui. I responsabili dell’app possono risolvere il problema.',
    },
    internal: {
      title: 'Qualcosa è andato storto da parte nostra',
      text: 'Non dipende da te. Riprova. Se succede di nuovo, invia il riferimento riportato sotto al gestore di questo servizio.',
    },
    method_not_allowed: {
      title: 'Questa pagina non si può aprire così',
      text: 'L’indirizzo appartiene a un modulo o a un’app e non accetta questo tipo di richiesta. Ricomincia dalla pagina di accesso o da quella del tuo account. Se è stata un’app a mandarti qui, segnalalo ai suoi responsabili.',
    },
    not_allowed: {
      title: 'Non puoi accedere con questo account',
      text: 'Il gestore di questo servizio non consente questo account. Usa un altro account, oppure contatta il gestore indicando il codice e il riferimento riportati sotto.',
    },
    not_eligible: {
      title: 'Questo account non può ancora accedere qui',
      text: (provider = 'il servizio con cui accedi') =>
        `Per ora ${provider} consente l’accesso solo ad alcuni account di prova. Usa un altro account, oppure chiedi al gestore di questo servizio di aggiungere il tuo.`,
    },
    not_found: {
      title: 'Pagina non trovata',
      text: 'A questo indirizzo non c’è nessuna pagina. Controlla che sia scritto correttamente, oppure vai alla pagina di accesso o a quella del tuo account.',
    },
    passkey_rejected: {
      title: 'Questa passkey non è stata accettata',
      text: 'Non è stato possibile verificarla. Non è cambiato nulla. Prova un’altra passkey, oppure accedi in un altro modo e controlla le passkey nella pagina del tuo account.',
    },
    passkey_unknown: {
      title: 'Questa passkey non è registrata qui',
      text: 'Potrebbe essere stata rimossa, oppure il suo account potrebbe essere stato eliminato. Accedi in un altro modo. Se il tuo dispositivo propone ancora questa passkey, eliminala dalle password salvate lì.',
    },
    post_logout_redirect_uri_refused: {
      title: 'L’uscita è stata interrotta',
      text: 'L’app voleva mandarti a un indirizzo che non ha registrato. L’accesso potrebbe essere ancora attivo: puoi uscire qui. I responsabili dell’app possono risolvere il problema.',
    },
    provider_invalid: {
      title: (provider = 'Il servizio con cui accedi') =>
        `${provider} ha inviato una risposta non valida`,
      text: 'Non abbiamo potuto verificare chi sei, quindi l’accesso non è avvenuto. Riprova. Se succede di nuovo, invia il riferimento riportato sotto al gestore di questo servizio.',
    },
    provider_misconfigured: {
      title: 'Questa opzione di accesso non funziona',
      text: 'Non dipende da te, e riprovare non serve: solo il gestore di questo servizio può risolvere il problema. Inviagli il riferimento riportato sotto. Se puoi accedere anche in un altro modo, scegli quello.',
    },
    provider_refused: {
      title: (provider = 'Il servizio con cui accedi') =>
        `${provider} non ha accettato la nostra richiesta`,
      text: 'Non dipende da te, e solo il gestore di questo servizio può risolvere il problema. Inviagli il riferimento riportato sotto.',
    },
    provider_unavailable: {
      title: (provider = 'Il servizio con cui accedi') => `${provider} non risponde`,
      text: (provider = 'Il servizio con cui accedi') =>
        `${provider} ha un sovraccarico o un problema temporaneo, quindi l’accesso non è avvenuto. Riprova tra un minuto.`,
    },
    provider_unknown: {
      title: 'Questa opzione di accesso non esiste',
      text: 'L’opzione di accesso indicata in questo indirizzo non è disponibile qui. Vai alla pagina di accesso per vedere quelle disponibili.',
    },
    redirect_uri_refused: {
      title: 'Questa app non può ricevere il tuo accesso',
      text: 'Voleva ricevere il risultato a un indirizzo che non ha registrato. Segnalalo ai responsabili dell’app: solo loro possono risolvere il problema.',
    },
    request_invalid: {
      title: 'Questa richiesta non è valida',
      text: 'Una parte manca, è ripetuta o ha un formato errato. Torna all’app e ricomincia da capo. Se succede di nuovo, segnalalo ai responsabili dell’app.',
    },
    request_too_large: {
      title: 'Questa richiesta è troppo grande',
      text: 'L’indirizzo, il modulo o i cookie inviati dal tuo browser sono troppo lunghi. Elimina i cookie di questo sito, poi torna all’app e ricomincia da capo.',
    },
    return_url_refused: {
      title: 'Questo link porta a un sito sconosciuto',
      text: 'Dopo l’accesso ti manderebbe a un indirizzo che non è registrato presso questo servizio, quindi ci siamo fermati qui. Se hai ricevuto il link da un’app, segnalalo ai suoi responsabili.',
    },
    scope_missing: {
      title: 'Manca un’autorizzazione necessaria',
      text: (provider = 'un altro servizio') =>
        `Durante l’accesso con ${provider} hai disattivato un’autorizzazione che qui è necessaria. Accedi di nuovo e lasciala attiva.`,
    },
    sign_in_again: {
      title: 'Prima accedi di nuovo',
      text: 'Per proteggere il tuo account, serve un nuovo accesso. Accedi di nuovo, poi ripeti entro dieci minuti ciò che volevi fare.',
    },
    too_many_guesses: {
      title: 'Troppi tentativi errati',
      text: 'Hai inserito troppe volte dati errati, quindi questo accesso è stato interrotto per proteggere l’account. Ricomincia. Se non è ancora possibile, attendi 15 minuti.',
    },
    too_many_requests: {
      title: 'Troppe richieste',
      text: 'Da te o dalla tua rete sono arrivate troppe richieste in poco tempo. Aspetta un minuto, poi riprova.',
    },
    unavailable: {
      title: 'Al momento non disponibile',
      text: 'Questo servizio ha un problema temporaneo e non ha potuto completare la tua richiesta. Se stavi modificando qualcosa, la modifica potrebbe essere incompleta. Riprova tra un minuto.',
    },
    user_blocked: {
      title: 'Il tuo account è bloccato',
      text: 'Il gestore di questo servizio ha bloccato il tuo account, quindi non puoi usarlo per accedere. Se pensi che sia un errore, contattalo indicando il riferimento riportato sotto.',
    },
  },
}
