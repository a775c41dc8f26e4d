import type { Messages } from './en.ts'

export const es: Messages = {
  language: 'es',
  languageName: 'Español',
  signIn: {
    title: 'Iniciar sesión',
    titleFor: (app) => `Iniciar sesión en ${app}`,
    lead: 'Elige cómo quieres iniciar sesión.',
    signInWith: (provider) => `Iniciar sesión con ${provider}`,
    privacyNote: (provider) =>
      provider
        ? `Tu contraseña se queda en ${provider}. ${provider} solo comparte lo que permitas.`
        : 'Tus contraseñas se quedan en estos servicios. Solo comparten lo que permitas.',
    inAppBrowserWarning:
      'Has abierto esta página dentro de otra aplicación, donde el inicio de sesión suele fallar.',
    openInBrowser: 'Abrir en tu navegador',
    signInWithQrCode: (provider) => `Escanear un código QR con la aplicación de ${provider}`,
    or: 'o',
    newUserNote: '¿Es tu primera vez aquí? Tu cuenta se crea al iniciar sesión.',
    lastUsed: 'Usado la última vez',
    sessionEnded:
      'Ya no tienes la sesión iniciada en este navegador: quizá la cerraste desde otro o llevabas mucho tiempo sin usar este.',
  },
  qr: {
    lead: (provider) => `Escanea este código con la aplicación de ${provider} en tu teléfono.`,
    scanned: 'Ahora confirma el inicio de sesión en tu teléfono.',
    expired: 'Este código ha caducado.',
    newCode: 'Mostrar un código nuevo',
    warning:
      'Escanea solo un código que hayas pedido tú: el dispositivo que lo muestra iniciará sesión en tu cuenta.',
  },
  signedIn: {
    title: 'Has iniciado sesión',
    as: (name) => `Has iniciado sesión como ${name}.`,
    unnamedUser: 'un usuario sin nombre',
    continue: 'Continuar',
    continueAs: (name) => `Continuar como ${name}`,
    continueTo: (app) => `Continuar a ${app}`,
    useAnotherAccount: 'O usa otra cuenta:',
  },
  stepUp: {
    signInTitle: 'Confirma que eres tú',
    signInLead: (change) =>
      change
        ? `Para proteger tu cuenta, «${change}» requiere iniciar sesión de nuevo, aunque acabes de hacerlo.`
        : 'Para proteger tu cuenta, vuelve a iniciar sesión antes de continuar.',
    confirmedLater: 'No cambiará nada hasta que lo confirmes en la página siguiente.',
    permissionTitle: (app) => `${app} solicita más permisos`,
    permissionLead: 'Vuelve a iniciar sesión y permite lo siguiente en la página que se abre:',
    permissionLeadWith: (provider) =>
      `Vuelve a iniciar sesión con ${provider} y permite lo siguiente en la página que se abre:`,
  },
  signOut: {
    title: '¿Cerrar sesión?',
    lead: 'Tendrás que volver a iniciar sesión en todas las aplicaciones que usan este acceso.',
    confirm: 'Cerrar sesión',
    staySignedIn: 'Mantener la sesión',
  },
  signedOut: {
    title: 'Has cerrado sesión',
    lead: (provider) => `Es posible que tu sesión siga abierta en ${provider}.`,
  },
  consent: {
    title: (app) => `¿Permitir que ${app} use tu cuenta?`,
    permissionsHeading: 'La aplicación podrá:',
    scopes: {
      openid: 'reconocerte cuando vuelvas',
      profile: 'ver tu nombre, tu nombre de usuario, tu foto y el enlace de tu perfil',
      email: 'ver tu correo electrónico',
      platform:
        'ver lo que el servicio con el que inicias sesión comparte sobre ti, como tu número de seguidores',
      offline_access: 'conservar este acceso aunque no estés usando la aplicación',
      'user.info.profile': 'ver tu nombre de usuario, tu descripción y el enlace de tu perfil',
      'user.info.stats': 'ver cuántos seguidores, me gusta y vídeos tienes',
      'video.list': 'ver tus vídeos públicos',
    },
    noEmail: 'aún no hay ninguno; incluye el que añadas después',
    useApi: (api) => `usar ${api}`,
    alwaysIncluded: 'Siempre incluido',
    optional: 'Desmarca lo que no quieras permitir. Puede que la aplicación ofrezca menos.',
    returnsTo: (host) => `Volverás a ${host}.`,
    lasts: (duration) =>
      `La aplicación conserva este acceso ${duration} como máximo desde la última vez que iniciaste sesión en ella.`,
    revocable: 'Puedes retirarlo en cualquier momento en la página de tu cuenta.',
    approve: 'Permitir',
    deny: 'No permitir',
  },
  continuing: {
    title: 'Continúa para terminar de iniciar sesión',
    lead: 'Si no ocurre nada, pulsa el botón.',
  },
  account: {
    title: 'Tu cuenta',
    done: {
      linked: (provider) => `Ya puedes iniciar sesión con ${provider}.`,
      alreadyLinked: (provider) =>
        `Esta cuenta de ${provider} ya estaba vinculada. Para vincular otra, cambia primero de cuenta en ${provider}.`,
      passkeyAdded: 'La llave de acceso se ha añadido.',
      passkeyRenamed: 'Se ha cambiado el nombre de la llave de acceso.',
      sessionEnded: (device) => `Esa sesión se ha cerrado (${device}).`,
      otherSessionsEnded: 'Se han cerrado todas las demás sesiones.',
      consentWithdrawn: (app) =>
        `${app} ya no puede usar tu cuenta, pero conserva los datos que ya tiene.`,
      confirmed: (change) =>
        change
          ? `Gracias. Ahora tienes diez minutos para «${change}».`
          : 'Gracias. Ahora repite lo que querías hacer. Tienes diez minutos.',
    },
    created: 'Al iniciar sesión, se ha creado tu nueva cuenta.',
    accountsHeading: 'Formas de iniciar sesión',
    noAccounts: 'No hay ninguna cuenta vinculada.',
    addedOn: (date) => `añadida el ${date}`,
    disconnect: (provider) => `Desvincular ${provider}`,
    onlyMethod: 'Tu única forma de iniciar sesión. Para quitarla, añade antes otra.',
    removal: {
      title: (provider) => `¿Desvincular ${provider}?`,
      effect: (provider) =>
        `Ya no podrás iniciar sesión aquí con esta cuenta de ${provider}. Tu cuenta en ${provider} no se eliminará.`,
      sessions: (methods) =>
        `Para proteger tu cuenta, se cerrarán todas tus sesiones, también esta. Después, inicia sesión con ${methods}.`,
      doneTitle: (provider) => `La cuenta de ${provider} se ha desvinculado`,
      signedOut: 'Se han cerrado todas tus sesiones.',
      signInAgain: (methods) => `Inicia sesión de nuevo con ${methods}.`,
      unknownTitle: 'Esta forma de iniciar sesión no está en tu cuenta',
    },
    addMethod: 'Añadir una forma de iniciar sesión',
    link: (provider) => `Vincular ${provider}`,
    linkAnother: (provider) => `Vincular otra cuenta de ${provider}`,
    sessionsHeading: 'Dónde has iniciado sesión',
    unknownBrowser: 'Un navegador',
    thisBrowser: 'este navegador',
    signedInOn: (date, provider) =>
      provider ? `sesión iniciada con ${provider} el ${date}` : `sesión iniciada el ${date}`,
    lastUsedOn: (date) => `último uso el ${date}`,
    usedFor: (apps) => `sesión iniciada en ${apps}`,
    endOtherSessions: 'Cerrar todas las demás sesiones',
    consentsHeading: 'Aplicaciones a las que has dado acceso',
    noConsents: 'Ninguna aplicación de otras empresas por ahora.',
    withdrawConsent: 'Retirar el acceso',
    withdrawal: {
      title: (app) => `¿Retirar el acceso de ${app}?`,
      effect: (app) => `${app} ya no podrá usar tu cuenta, pero conservará los datos que ya tiene.`,
      later: 'Si vuelves a iniciar sesión en esta aplicación, te pedirá acceso de nuevo.',
    },
    dataHeading: 'Tus datos',
    dataNote:
      'Puedes descargar un archivo (JSON) con tu perfil, tus formas de iniciar sesión, tus sesiones, los permisos de aplicaciones y los registros de seguridad.',
    downloadData: 'Descargar tus datos',
    deleteAccount: 'Eliminar tu cuenta',
    deleteLead: 'Esto no se puede deshacer. Si eliminas tu cuenta:',
    deleteEffects: {
      data: 'Se eliminan de este servicio tu perfil y todas tus formas de iniciar sesión.',
      accounts: (services) => `Tus cuentas en otros servicios (${services}) no se eliminan.`,
      sessions: 'Se cierran todas tus sesiones y ninguna aplicación puede seguir usando tu cuenta.',
      apps: 'Las aplicaciones conservan los datos que ya tienen. Pídeles que los eliminen.',
      records: (duration) =>
        `Los registros de seguridad de esta cuenta, como las fechas de inicio de sesión, se conservan ${duration}, sin tu nombre.`,
      later: 'Si más adelante vuelves a iniciar sesión, tendrás una cuenta nueva y vacía.',
    },
    deletePermanently: 'Eliminar definitivamente',
    deletedTitle: 'Tu cuenta se ha eliminado',
    deletedConnections: (providers) =>
      `Es posible que este servicio siga apareciendo entre tus aplicaciones conectadas en ${providers}. También puedes quitarlo allí.`,
  },
  actions: {
    cancel: 'Cancelar',
    tryAgain: 'Intentarlo de nuevo',
    goBack: 'Volver',
    goBackTo: (app) => `Volver a ${app}`,
    goToSignIn: 'Ir al inicio de sesión',
    keepCurrentAccount: 'Conservar la cuenta actual',
    switchAccount: 'Iniciar sesión con la otra cuenta',
    useDifferentAccount: 'Usar otra cuenta',
    chooseProvider: 'Elegir otra forma de iniciar sesión',
    goToAccount: 'Ir a tu cuenta',
    checkAgain: 'Comprobar de nuevo',
    showMore: (count) => `Mostrar ${count} más`,
  },
  footer: {
    privacyPolicy: (app) => `Política de privacidad de ${app}`,
    terms: (app) => `Condiciones del servicio de ${app}`,
    language: 'Idioma',
  },
  errorPage: {
    code: 'Código de error',
    parameter: 'Parámetro',
    reference: 'Referencia',
    otherAccount: (account) => `La otra cuenta: ${account}`,
    contact: 'Contactar con el soporte',
  },
  errors: {
    access_denied: {
      title: 'No se ha iniciado la sesión',
      text: (provider = 'el servicio con el que inicias sesión') =>
        `El inicio de sesión se canceló. No ha cambiado nada y puedes volver a intentarlo cuando quieras. Si no lo cancelaste tú, es posible que ${provider} no deje que esta cuenta inicie sesión en otras aplicaciones.`,
    },
    account_taken: {
      title: 'Ya está vinculada a otra cuenta',
      text: 'Esta forma de iniciar sesión ya pertenece a otra cuenta de este servicio. Puedes seguir usando ambas cuentas, o iniciar sesión con ella, desvincularla allí y después vincularla aquí.',
    },
    already_signed_in: {
      title: 'Ya has iniciado sesión',
      text: 'Este navegador tiene una sesión abierta con otra cuenta. Decide cuál de las dos quieres usar.',
    },
    attempt_missing: {
      title: 'No se puede terminar este inicio de sesión',
      text: 'Tardó demasiado, ya había terminado o empezó en otro navegador. Empieza de nuevo.',
    },
    client_unknown: {
      title: 'Esta aplicación no está registrada',
      text: 'La aplicación que te envió aquí no está registrada en este servicio. Avisa a los responsables de la aplicación: solo ellos pueden corregirlo.',
    },
    code_expired: {
      title: 'La confirmación ha caducado',
      text: (provider = 'El servicio con el que inicias sesión') =>
        `${provider} confirmó tu inicio de sesión, pero la confirmación caducó o se usó antes de que pudiéramos comprobarla. Vuelve a iniciar sesión.`,
    },
    configuration: {
      title: 'Este servicio no está bien configurado',
      text: 'No es culpa tuya. Nadie puede iniciar sesión hasta que el operador de este servicio corrija su configuración. Envíale la referencia de abajo.',
    },
    credentials_rejected: {
      title: 'Los datos no son correctos',
      text: 'El código o los datos que has introducido para iniciar sesión no son correctos. Compruébalos e inténtalo de nuevo.',
    },
    cross_site: {
      title: 'Esta petición vino de otro sitio',
      text: 'No se ha llevado a cabo, para proteger tu cuenta. Si querías hacer esto, abre la página de inicio de sesión o la de tu cuenta y hazlo allí.',
    },
    id_token_hint_refused: {
      title: 'La aplicación no pudo cerrar tu sesión',
      text: 'Su petición de cerrar tu sesión no era válida, así que no la hemos ejecutado. Puede que tu sesión siga abierta: ciérrala aquí. Los responsables de la aplicación pueden corregirlo.',
    },
    internal: {
      title: 'Algo ha fallado por nuestra parte',
      text: 'No es culpa tuya. Inténtalo de nuevo. Si se repite, envía la referencia de abajo al operador de este servicio.',
    },
    method_not_allowed: {
      title: 'Esta página no se puede abrir así',
      text: 'La dirección pertenece a un formulario o a una aplicación y no acepta este tipo de petición. Empieza de nuevo en la página de inicio de sesión o en la de tu cuenta. Si te envió aquí una aplicación, avisa a sus responsables.',
    },
    not_allowed: {
      title: 'No puedes iniciar sesión con esta cuenta',
      text: 'El operador de este servicio no permite esta cuenta. Usa otra cuenta o contacta con el operador e indica el código y la referencia que aparecen abajo.',
    },
    not_eligible: {
      title: 'Esta cuenta aún no puede iniciar sesión aquí',
      text: (provider = 'el servicio con el que inicias sesión') =>
        `Por ahora, ${provider} solo deja iniciar sesión aquí a determinadas cuentas de prueba. Usa otra cuenta o pide al operador de este servicio que añada la tuya.`,
    },
    not_found: {
      title: 'Página no encontrada',
      text: 'No hay ninguna página en esta dirección. Comprueba que está bien escrita o continúa en la página de inicio de sesión o en la de tu cuenta.',
    },
    passkey_rejected: {
      title: 'No se aceptó esta llave de acceso',
      text: 'No se pudo verificar. No ha cambiado nada. Prueba con otra llave de acceso, o inicia sesión de otra forma y revisa las llaves de acceso en la página de tu cuenta.',
    },
    passkey_unknown: {
      title: 'Esta llave de acceso no está registrada aquí',
      text: 'Puede que se haya eliminado, o que se haya eliminado su cuenta. Inicia sesión de otra forma. Si tu dispositivo sigue ofreciendo esta llave de acceso, elimínala de las contraseñas guardadas en él.',
    },
    post_logout_redirect_uri_refused: {
      title: 'Se ha detenido el cierre de sesión',
      text: 'La aplicación quería enviarte a una dirección que no ha registrado. Puede que tu sesión siga abierta: ciérrala aquí. Los responsables de la aplicación pueden corregirlo.',
    },
    provider_invalid: {
      title: (provider = 'El servicio con el que inicias sesión') =>
        `${provider} envió una respuesta no válida`,
      text: 'No pudimos verificar quién eres, así que no se ha iniciado la sesión. Inténtalo de nuevo. Si se repite, envía la referencia de abajo al operador de este servicio.',
    },
    provider_misconfigured: {
      title: 'Esta opción de inicio de sesión no funciona',
      text: 'No es culpa tuya, y volver a intentarlo no servirá: solo puede corregirlo el operador de este servicio. Envíale la referencia de abajo. Si también puedes iniciar sesión de otra forma, elígela.',
    },
    provider_refused: {
      title: (provider = 'El servicio con el que inicias sesión') =>
        `${provider} no aceptó nuestra petición`,
      text: 'No es culpa tuya, y solo el operador de este servicio puede corregirlo. Envíale la referencia de abajo.',
    },
    provider_unavailable: {
      title: (provider = 'El servicio con el que inicias sesión') => `${provider} no responde`,
      text: (provider = 'El servicio con el que inicias sesión') =>
        `${provider} tiene demasiada carga o un problema temporal, así que no se ha iniciado la sesión. Inténtalo de nuevo en un minuto.`,
    },
    provider_unknown: {
      title: 'Esta opción de inicio de sesión no existe',
      text: 'La opción de inicio de sesión que indica esta dirección no está disponible aquí. Ve a la página de inicio de sesión para ver las que sí lo están.',
    },
    redirect_uri_refused: {
      title: 'Esta aplicación no puede recibir tu inicio de sesión',
      text: 'Quería recibir el resultado en una dirección que no ha registrado. Avisa a los responsables de la aplicación: solo ellos pueden corregirlo.',
    },
    request_invalid: {
      title: 'Esta petición no es válida',
      text: 'Una parte falta, está repetida o tiene un formato incorrecto. Vuelve a la aplicación y empieza de nuevo. Si se repite, avisa a los responsables de la aplicación.',
    },
    request_too_large: {
      title: 'Esta petición es demasiado grande',
      text: 'La dirección, el formulario o las cookies que envió tu navegador son demasiado largos. Borra las cookies de este sitio, vuelve a la aplicación y empieza de nuevo.',
    },
    return_url_refused: {
      title: 'Este enlace lleva a un sitio desconocido',
      text: 'Tras iniciar sesión te enviaría a una dirección que no está registrada en este servicio, así que nos hemos detenido aquí. Si te dio este enlace una aplicación, avisa a sus responsables.',
    },
    scope_missing: {
      title: 'Falta un permiso necesario',
      text: (provider = 'otro servicio') =>
        `Al iniciar sesión con ${provider} desactivaste un permiso que hace falta aquí. Vuelve a iniciar sesión y déjalo activado.`,
    },
    sign_in_again: {
      title: 'Vuelve a iniciar sesión primero',
      text: 'Para proteger tu cuenta, esto requiere iniciar sesión de nuevo. Vuelve a iniciar sesión y repite lo que querías hacer en los diez minutos siguientes.',
    },
    too_many_guesses: {
      title: 'Demasiados intentos fallidos',
      text: 'Lo que has introducido era incorrecto demasiadas veces, así que hemos detenido este inicio de sesión para proteger la cuenta. Vuelve a empezar. Si también se rechaza, espera 15 minutos.',
    },
    too_many_requests: {
      title: 'Demasiadas peticiones',
      text: 'Hemos recibido demasiadas peticiones tuyas o de tu red en poco tiempo. Espera un minuto e inténtalo de nuevo.',
    },
    unavailable: {
      title: 'No disponible en este momento',
      text: 'Este servicio tiene un problema temporal y no pudo completar tu petición. Si estabas cambiando algo, puede que el cambio esté incompleto. Inténtalo de nuevo en un minuto.',
    },
    user_blocked: {
      title: 'Tu cuenta está bloqueada',
      text: 'El operador de este servicio ha bloqueado tu cuenta, así que no puedes iniciar sesión con ella. Si crees que es un error, ponte en contacto con él e indica la referencia que aparece abajo.',
    },
  },
}
