import type { Messages } from './en.ts'

export const de: Messages = {
  language: 'de',
  languageName: 'Deutsch',
  signIn: {
    title: 'Anmelden',
    titleFor: (app) => `Bei ${app} anmelden`,
    lead: 'Wie möchtest du dich anmelden?',
    signInWith: (provider) => `Mit ${provider} anmelden`,
    privacyNote: (provider) =>
      provider
        ? `Dein Passwort bleibt bei ${provider}. ${provider} gibt nur weiter, was du erlaubst.`
        : 'Deine Passwörter bleiben bei diesen Diensten. Sie geben nur weiter, was du erlaubst.',
    inAppBrowserWarning:
      'Du hast diese Seite in einer anderen App geöffnet. Dort schlägt die Anmeldung oft fehl.',
    openInBrowser: 'In deinem Browser öffnen',
    signInWithQrCode: (provider) => `QR-Code mit der ${provider}-App scannen`,
    or: 'oder',
    newUserNote: 'Neu hier? Bei der ersten Anmeldung wird dein Konto angelegt.',
    lastUsed: 'Zuletzt verwendet',
    sessionEnded:
      'Du bist in diesem Browser nicht mehr angemeldet: Vielleicht hast du dich von einem anderen aus abgemeldet oder diesen lange nicht benutzt.',
  },
  qr: {
    lead: (provider) => `Scanne diesen Code mit der ${provider}-App auf deinem Smartphone.`,
    scanned: 'Bestätige die Anmeldung jetzt auf deinem Smartphone.',
    expired: 'Dieser Code ist abgelaufen.',
    newCode: 'Neuen Code anzeigen',
    warning:
      'Scanne nur einen Code, den du selbst angefordert hast: Das Gerät, das ihn anzeigt, wird bei deinem Konto angemeldet.',
  },
  signedIn: {
    title: 'Du bist angemeldet',
    as: (name) => `Du bist als ${name} angemeldet.`,
    unnamedUser: 'Nutzer ohne Namen',
    continue: 'Weiter',
    continueAs: (name) => `Weiter als ${name}`,
    continueTo: (app) => `Weiter zu ${app}`,
    useAnotherAccount: 'Oder verwende ein anderes Konto:',
  },
  stepUp: {
    signInTitle: 'Bestätige, dass du es bist',
    signInLead: (change) =>
      change
        ? `Zum Schutz deines Kontos ist für „${change}“ eine neue Anmeldung nötig, auch wenn du dich gerade erst angemeldet hast.`
        : 'Zum Schutz deines Kontos melde dich bitte noch einmal an, bevor es weitergeht.',
    confirmedLater: 'Es passiert nichts, bevor du es auf der nächsten Seite bestätigst.',
    permissionTitle: (app) => `${app} bittet um weiteren Zugriff`,
    permissionLead:
      'Melde dich noch einmal an und erlaube auf der Seite, die sich öffnet, Folgendes:',
    permissionLeadWith: (provider) =>
      `Melde dich noch einmal mit ${provider} an und erlaube auf der Seite, die sich öffnet, Folgendes:`,
  },
  signOut: {
    title: 'Abmelden?',
    lead: 'Du musst dich dann in allen Apps, die diese Anmeldung nutzen, neu anmelden.',
    confirm: 'Abmelden',
    staySignedIn: 'Angemeldet bleiben',
  },
  signedOut: {
    title: 'Du bist abgemeldet',
    lead: (provider) => `Bei ${provider} bist du möglicherweise noch angemeldet.`,
  },
  consent: {
    title: (app) => `Darf ${app} dein Konto nutzen?`,
    permissionsHeading: 'Die App darf dann:',
    scopes: {
      openid: 'dich wiedererkennen, wenn du wiederkommst',
      profile: 'deinen Namen, Nutzernamen, dein Bild und deinen Profillink sehen',
      email: 'deine E-Mail-Adresse sehen',
      platform:
        'sehen, was der Dienst, mit dem du dich anmeldest, über dich weitergibt, zum Beispiel deine Followerzahl',
      offline_access: 'diesen Zugriff behalten, auch wenn du die App gerade nicht nutzt',
      'user.info.profile': 'deinen Nutzernamen, deine Bio und deinen Profillink sehen',
      'user.info.stats': 'sehen, wie viele Follower, Likes und Videos du hast',
      'video.list': 'deine öffentlichen Videos sehen',
    },
    noEmail: 'noch keine; gilt auch für eine, die du später hinzufügst',
    useApi: (api) => `${api} nutzen`,
    alwaysIncluded: 'Immer enthalten',
    optional: 'Wähle ab, was du nicht erlauben möchtest. Die App bietet dann vielleicht weniger.',
    returnsTo: (host) => `Danach geht es zurück zu ${host}.`,
    lasts: (duration) =>
      `Die App behält diesen Zugriff höchstens ${duration}, nachdem du dich zuletzt bei ihr angemeldet hast.`,
    revocable: 'Du kannst ihn jederzeit auf deiner Kontoseite entziehen.',
    approve: 'Erlauben',
    deny: 'Nicht erlauben',
  },
  continuing: {
    title: 'Weiter, um die Anmeldung abzuschließen',
    lead: 'Falls nichts passiert, klicke auf die Schaltfläche.',
  },
  account: {
    title: 'Dein Konto',
    done: {
      linked: (provider) => `Du kannst dich jetzt mit ${provider} anmelden.`,
      alreadyLinked: (provider) =>
        `Dieses ${provider}-Konto war bereits verknüpft. Um ein anderes zu verknüpfen, wechsle zuerst bei ${provider} das Konto.`,
      passkeyAdded: 'Dein Passkey wurde hinzugefügt.',
      passkeyRenamed: 'Dein Passkey wurde umbenannt.',
      sessionEnded: (device) => `Du wurdest in dem anderen Browser abgemeldet (${device}).`,
      otherSessionsEnded: 'Du wurdest überall sonst abgemeldet.',
      consentWithdrawn: (app) =>
        `${app} kann dein Konto nicht mehr nutzen. Daten, die die App schon hat, behält sie.`,
      confirmed: (change) =>
        change
          ? `Danke. Du hast jetzt zehn Minuten Zeit für „${change}“.`
          : 'Danke. Wiederhole jetzt, was du tun wolltest. Du hast zehn Minuten Zeit.',
    },
    created: 'Bei der Anmeldung wurde dein neues Konto angelegt.',
    accountsHeading: 'Anmeldemöglichkeiten',
    noAccounts: 'Es ist kein Konto verknüpft.',
    addedOn: (date) => `hinzugefügt am ${date}`,
    disconnect: (provider) => `${provider} trennen`,
    onlyMethod:
      'Deine einzige Anmeldemöglichkeit. Um sie zu entfernen, füge zuerst eine andere hinzu.',
    removal: {
      title: (provider) => `${provider} trennen?`,
      effect: (provider) =>
        `Du kannst dich hier dann nicht mehr mit diesem ${provider}-Konto anmelden. Das Konto bei ${provider} wird nicht gelöscht.`,
      sessions: (methods) =>
        `Zum Schutz deines Kontos wirst du überall abgemeldet, auch hier. Melde dich danach mit ${methods} wieder an.`,
      doneTitle: (provider) => `${provider} ist getrennt`,
      signedOut: 'Du wurdest überall abgemeldet.',
      signInAgain: (methods) => `Melde dich mit ${methods} wieder an.`,
      unknownTitle: 'Diese Anmeldemöglichkeit gehört nicht zu deinem Konto',
    },
    addMethod: 'Anmeldemöglichkeit hinzufügen',
    link: (provider) => `${provider} verknüpfen`,
    linkAnother: (provider) => `Weiteres ${provider}-Konto verknüpfen`,
    sessionsHeading: 'Hier bist du angemeldet',
    unknownBrowser: 'Ein Browser',
    thisBrowser: 'dieser Browser',
    signedInOn: (date, provider) =>
      provider ? `mit ${provider} angemeldet am ${date}` : `angemeldet am ${date}`,
    lastUsedOn: (date) => `zuletzt verwendet am ${date}`,
    usedFor: (apps) => `angemeldet bei ${apps}`,
    endOtherSessions: 'Überall sonst abmelden',
    consentsHeading: 'Apps, denen du Zugriff erlaubt hast',
    noConsents: 'Zurzeit keine Apps anderer Unternehmen.',
    withdrawConsent: 'Zugriff entziehen',
    withdrawal: {
      title: (app) => `${app} den Zugriff entziehen?`,
      effect: (app) =>
        `${app} kann dein Konto dann nicht mehr nutzen. Daten, die die App schon hat, behält sie.`,
      later: 'Wenn du dich wieder bei der App anmeldest, bittet sie erneut um Zugriff.',
    },
    dataHeading: 'Deine Daten',
    dataNote:
      'Du kannst eine Datei (JSON) mit deinem Profil, deinen Anmeldemöglichkeiten und Sitzungen, App-Berechtigungen und Sicherheitsprotokollen herunterladen.',
    downloadData: 'Daten herunterladen',
    deleteAccount: 'Konto löschen',
    deleteLead: 'Das lässt sich nicht rückgängig machen. Wenn du dein Konto löschst:',
    deleteEffects: {
      data: 'Dein Profil und alle Anmeldemöglichkeiten werden aus diesem Dienst gelöscht.',
      accounts: (services) =>
        `Deine Konten bei anderen Diensten (${services}) werden nicht gelöscht.`,
      sessions: 'Du wirst überall abgemeldet, und keine App kann dein Konto weiter nutzen.',
      apps: 'Apps behalten die Daten, die sie schon haben. Bitte sie, diese zu löschen.',
      records: (duration) =>
        `Sicherheitsprotokolle dieses Kontos, etwa die Zeitpunkte von Anmeldungen, werden ${duration} aufbewahrt, ohne deinen Namen.`,
      later: 'Wenn du dich später wieder anmeldest, bekommst du ein neues, leeres Konto.',
    },
    deletePermanently: 'Endgültig löschen',
    deletedTitle: 'Dein Konto wurde gelöscht',
    deletedConnections: (providers) =>
      `Bei ${providers} ist dieser Dienst möglicherweise noch unter deinen verbundenen Apps aufgeführt. Du kannst ihn auch dort entfernen.`,
  },
  actions: {
    cancel: 'Abbrechen',
    tryAgain: 'Noch einmal versuchen',
    goBack: 'Zurück',
    goBackTo: (app) => `Zurück zu ${app}`,
    goToSignIn: 'Zur Anmeldung',
    keepCurrentAccount: 'Beim aktuellen Konto bleiben',
    switchAccount: 'Mit dem anderen Konto anmelden',
    useDifferentAccount: 'Anderes Konto verwenden',
    chooseProvider: 'Andere Anmeldemöglichkeit wählen',
    goToAccount: 'Zu deinem Konto',
    checkAgain: 'Noch einmal prüfen',
    showMore: (count) => `${count} weitere anzeigen`,
  },
  footer: {
    privacyPolicy: (app) => `Datenschutzerklärung von ${app}`,
    terms: (app) => `Nutzungsbedingungen von ${app}`,
    language: 'Sprache',
  },
  errorPage: {
    code: 'Fehlercode',
    parameter: 'Parameter',
    reference: 'Referenz',
    otherAccount: (account) => `Das andere Konto: ${account}`,
    contact: 'Support kontaktieren',
  },
  errors: {
    access_denied: {
      title: 'Du wurdest nicht angemeldet',
      text: (provider = 'der Dienst, mit dem du dich anmeldest,') =>
        `Die Anmeldung wurde abgebrochen. Es hat sich nichts geändert, und du kannst es jederzeit noch einmal versuchen. Falls du sie nicht selbst abgebrochen hast, lässt ${provider} vielleicht nicht zu, dass sich dieses Konto bei anderen Apps anmeldet.`,
    },
    account_taken: {
      title: 'Bereits mit einem anderen Konto verknüpft',
      text: 'Diese Anmeldemöglichkeit gehört bereits zu einem anderen Konto dieses Dienstes. Du kannst beide Konten weiter verwenden. Oder du meldest dich über diese Möglichkeit im anderen Konto an, trennst sie dort und verknüpfst sie danach hier.',
    },
    already_signed_in: {
      title: 'Du bist bereits angemeldet',
      text: 'In diesem Browser bist du mit einem anderen Konto angemeldet. Entscheide, welches der beiden du verwenden möchtest.',
    },
    attempt_missing: {
      title: 'Diese Anmeldung kann nicht abgeschlossen werden',
      text: 'Sie hat zu lange gedauert, war schon abgeschlossen oder wurde in einem anderen Browser begonnen. Bitte beginne von vorn.',
    },
    client_unknown: {
      title: 'Diese App ist nicht registriert',
      text: 'Die App, von der du kommst, ist bei diesem Dienst nicht registriert. Bitte melde das den Betreibern der App: Nur sie können es beheben.',
    },
    code_expired: {
      title: 'Die Bestätigung ist abgelaufen',
      text: (provider = 'Der Dienst, mit dem du dich anmeldest,') =>
        `${provider} hat deine Anmeldung bestätigt, aber die Bestätigung ist abgelaufen oder wurde verwendet, bevor wir sie prüfen konnten. Bitte melde dich noch einmal an.`,
    },
    configuration: {
      title: 'Dieser Dienst ist nicht richtig eingerichtet',
      text: 'Das liegt nicht an dir. Niemand kann sich anmelden, bis der Betreiber dieses Dienstes die Einstellungen korrigiert. Bitte schicke ihm die unten stehende Referenz.',
    },
    credentials_rejected: {
      title: 'Die Angaben sind nicht richtig',
      text: 'Der Code oder die Angaben, mit denen du dich anmelden wolltest, waren nicht richtig. Prüfe sie und versuche es noch einmal.',
    },
    cross_site: {
      title: 'Diese Anfrage kam von einer anderen Website',
      text: 'Zum Schutz deines Kontos wurde sie nicht ausgeführt. Falls du das tun wolltest, öffne die Anmeldeseite oder deine Kontoseite und mache es dort.',
    },
    id_token_hint_refused: {
      title: 'Die App konnte dich nicht abmelden',
      text: 'Ihre Anfrage, dich abzumelden, war nicht gültig, deshalb haben wir sie nicht ausgeführt. Möglicherweise bist du noch angemeldet: Melde dich hier ab. Die Betreiber der App können das beheben.',
    },
    internal: {
      title: 'Bei uns ist etwas schiefgelaufen',
      text: 'Das liegt nicht an dir. Bitte versuche es noch einmal. Wenn es wieder passiert, schicke dem Betreiber dieses Dienstes die unten stehende Referenz.',
    },
    method_not_allowed: {
      title: 'Diese Seite lässt sich so nicht öffnen',
      text: 'Die Adresse gehört zu einem Formular oder zu einer App und nimmt diese Art von Anfrage nicht an. Beginne auf der Anmeldeseite oder auf deiner Kontoseite von vorn. Falls dich eine App hierhergeschickt hat, melde das bitte ihren Betreibern.',
    },
    not_allowed: {
      title: 'Mit diesem Konto kannst du dich nicht anmelden',
      text: 'Der Betreiber dieses Dienstes lässt dieses Konto nicht zu. Verwende ein anderes Konto, oder wende dich mit dem unten stehenden Code und der Referenz an den Betreiber.',
    },
    not_eligible: {
      title: 'Dieses Konto kann sich hier noch nicht anmelden',
      text: (provider = 'Der Dienst, mit dem du dich anmeldest,') =>
        `${provider} lässt hier vorerst nur ausgewählte Testkonten zu. Verwende ein anderes Konto, oder bitte den Betreiber dieses Dienstes, deines hinzuzufügen.`,
    },
    not_found: {
      title: 'Seite nicht gefunden',
      text: 'Unter dieser Adresse gibt es keine Seite. Prüfe, ob sie richtig geschrieben ist, oder gehe zur Anmeldeseite oder zu deiner Kontoseite.',
    },
    passkey_rejected: {
      title: 'Dieser Passkey wurde nicht akzeptiert',
      text: 'Er konnte nicht geprüft werden. Es hat sich nichts geändert. Versuche es mit einem anderen Passkey, oder melde dich auf andere Weise an und prüfe die Passkeys auf deiner Kontoseite.',
    },
    passkey_unknown: {
      title: 'Dieser Passkey ist hier nicht registriert',
      text: 'Vielleicht wurde er entfernt oder das zugehörige Konto gelöscht. Melde dich auf andere Weise an. Falls dein Gerät diesen Passkey weiterhin anbietet, lösche ihn dort bei den gespeicherten Passwörtern.',
    },
    post_logout_redirect_uri_refused: {
      title: 'Die Abmeldung wurde angehalten',
      text: 'Die App wollte dich zu einer Adresse schicken, die sie nicht registriert hat. Möglicherweise bist du noch angemeldet: Melde dich hier ab. Die Betreiber der App können das beheben.',
    },
    provider_invalid: {
      title: (provider = 'dem Dienst, mit dem du dich anmeldest,') =>
        `Die Antwort von ${provider} ist ungültig`,
      text: 'Wir konnten nicht feststellen, wer du bist, deshalb wurdest du nicht angemeldet. Bitte versuche es noch einmal. Wenn es wieder passiert, schicke dem Betreiber dieses Dienstes die unten stehende Referenz.',
    },
    provider_misconfigured: {
      title: 'Diese Anmeldemöglichkeit funktioniert nicht',
      text: 'Das liegt nicht an dir, und ein neuer Versuch hilft nicht: Nur der Betreiber dieses Dienstes kann es beheben. Bitte schicke ihm die unten stehende Referenz. Wenn du eine andere Anmeldemöglichkeit hast, nutze sie.',
    },
    provider_refused: {
      title: (provider = 'Der Dienst, mit dem du dich anmeldest,') =>
        `${provider} hat unsere Anfrage abgelehnt`,
      text: 'Das liegt nicht an dir, und nur der Betreiber dieses Dienstes kann es beheben. Bitte schicke ihm die unten stehende Referenz.',
    },
    provider_unavailable: {
      title: (provider = 'Der Dienst, mit dem du dich anmeldest,') => `${provider} antwortet nicht`,
      text: (provider = 'Der Dienst, mit dem du dich anmeldest,') =>
        `${provider} ist überlastet oder hat eine vorübergehende Störung, deshalb wurdest du nicht angemeldet. Bitte versuche es in einer Minute noch einmal.`,
    },
    provider_unknown: {
      title: 'Diese Anmeldemöglichkeit gibt es nicht',
      text: 'Die in dieser Adresse genannte Anmeldemöglichkeit ist hier nicht verfügbar. Welche es gibt, siehst du auf der Anmeldeseite.',
    },
    redirect_uri_refused: {
      title: 'Diese App kann deine Anmeldung nicht empfangen',
      text: 'Sie wollte das Ergebnis an eine Adresse schicken lassen, die sie nicht registriert hat. Bitte melde das den Betreibern der App: Nur sie können es beheben.',
    },
    request_invalid: {
      title: 'Diese Anfrage ist ungültig',
      text: 'Ein Teil davon fehlt, kommt mehrfach vor oder hat ein falsches Format. Gehe zurück zur App und beginne von vorn. Wenn es wieder passiert, melde das bitte den Betreibern der App.',
    },
    request_too_large: {
      title: 'Diese Anfrage ist zu groß',
      text: 'Die Adresse, das Formular oder die Cookies, die dein Browser gesendet hat, sind zu lang. Lösche die Cookies dieser Website, gehe zurück zur App und beginne von vorn.',
    },
    return_url_refused: {
      title: 'Dieser Link führt zu einer unbekannten Website',
      text: 'Nach der Anmeldung würde er dich zu einer Adresse schicken, die bei diesem Dienst nicht registriert ist, deshalb haben wir hier angehalten. Falls du den Link von einer App hast, melde das bitte ihren Betreibern.',
    },
    scope_missing: {
      title: 'Eine nötige Berechtigung fehlt',
      text: (provider = 'einem anderen Dienst') =>
        `Bei der Anmeldung mit ${provider} hast du eine Berechtigung ausgeschaltet, die hier gebraucht wird. Bitte melde dich noch einmal an und lass sie eingeschaltet.`,
    },
    sign_in_again: {
      title: 'Melde dich zuerst noch einmal an',
      text: 'Zum Schutz deines Kontos ist dafür eine neue Anmeldung nötig. Melde dich noch einmal an und wiederhole innerhalb von zehn Minuten, was du tun wolltest.',
    },
    too_many_guesses: {
      title: 'Zu viele falsche Versuche',
      text: 'Deine Eingaben waren zu oft falsch, deshalb wurde diese Anmeldung zum Schutz des Kontos abgebrochen. Bitte beginne von vorn. Wird auch das abgelehnt, warte 15 Minuten.',
    },
    too_many_requests: {
      title: 'Zu viele Anfragen',
      text: 'Von dir oder aus deinem Netzwerk kamen in kurzer Zeit zu viele Anfragen. Bitte warte eine Minute und versuche es dann noch einmal.',
    },
    unavailable: {
      title: 'Im Moment nicht verfügbar',
      text: 'Dieser Dienst hat eine vorübergehende Störung und konnte deine Anfrage nicht abschließen. Falls du etwas geändert hast, ist die Änderung möglicherweise unvollständig. Bitte versuche es in einer Minute noch einmal.',
    },
    user_blocked: {
      title: 'Dein Konto ist gesperrt',
      text: 'Der Betreiber dieses Dienstes hat dein Konto gesperrt, deshalb kannst du dich damit nicht anmelden. Wenn du das für einen Fehler hältst, wende dich an ihn und gib die unten stehende Referenz an.',
    },
  },
}
