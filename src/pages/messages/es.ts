import type { Messages } from './en.ts'

export const es: Messages = {
  language: 'es',
  languageName: 'Español',
  signIn: {
    title: 'Iniciar sesión',
    titleFor: (app) => `Iniciar sesión en ${app}`,
    lead: 'Elige cómo quieres iniciar sesión.',
    signInWith: (provider) => `Iniciar sesión con ${provider}`,
    privacyNote: 'Tu contraseña se queda en la plataforma. Solo comparte lo que permitas.',
    inAppBrowserWarning: 'Iniciar sesión suele fallar dentro de otra aplicación.',
    openInBrowser: 'Abrir en tu navegador',
    signInWithQrCode: 'Iniciar sesión con un código QR',
    lastUsed: 'Última usada',
  },
  qr: {
    lead: (provider) => `Escanea este código con la aplicación de ${provider} en tu teléfono.`,
    scanned: 'Ahora confírmalo en tu teléfono.',
    expired: 'Este código ha caducado.',
    warning:
      'Escanea solo un código que hayas solicitado tú: inicia sesión en la pantalla que lo muestra.',
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
    signInTitle: 'Vuelve a iniciar sesión',
    signInLead: 'Para continuar, confirma que eres tú. También puedes usar otra cuenta.',
    permissionTitle: (app) => `${app} necesita otro permiso`,
    permissionLead: 'Vuelve a iniciar sesión con la misma cuenta y permite allí lo siguiente:',
  },
  signOut: {
    title: '¿Cerrar sesión?',
    lead: 'Tendrás que volver a iniciar sesión en todas las aplicaciones que usan este acceso.',
    confirm: 'Cerrar sesión',
    staySignedIn: 'Mantener la sesión',
  },
  signedOut: {
    title: 'Has cerrado sesión',
    lead: 'Es posible que tu sesión siga abierta en la plataforma que usaste para entrar aquí.',
  },
  consent: {
    title: (app) => `¿Permitir que ${app} use tu cuenta?`,
    permissionsHeading: 'Podrá',
    scopes: {
      openid: 'reconocerte',
      profile: 'ver tu nombre y tu foto',
      email: 'ver tu correo electrónico',
      platform: 'ver lo que la plataforma comparte sobre ti, como tu número de seguidores',
      offline_access: 'hacerlo aunque no estés usando la aplicación',
      'user.info.profile': 'ver tu nombre de usuario, tu descripción y el enlace de tu perfil',
      'user.info.stats': 'ver cuántos seguidores, me gusta y vídeos tienes',
      'video.list': 'ver tus vídeos públicos',
    },
    useApi: (api) => `usar ${api}`,
    optional: 'Desmarca lo que no quieras permitir. Puede que la aplicación ofrezca menos.',
    returnsTo: (host) => `Volverás a ${host}.`,
    lasts: (duration) =>
      `Si no vuelves a iniciar sesión, la aplicación conserva este acceso ${duration} como máximo.`,
    revocable: 'Puedes retirarlo en cualquier momento en la página de tu cuenta.',
    approve: 'Permitir',
    deny: 'Cancelar',
  },
  continuing: { title: 'Ya casi está' },
  account: {
    title: 'Tu cuenta',
    accountsHeading: 'Formas de iniciar sesión',
    noAccounts: 'No hay ninguna cuenta vinculada.',
    addedOn: (date) => `añadida el ${date}`,
    disconnect: (provider) => `Desvincular ${provider}`,
    onlyMethod: 'Tu única forma de iniciar sesión. Para quitarla, añade antes otra.',
    removal: {
      title: (provider) => `¿Desvincular ${provider}?`,
      effect: 'Ya no podrás iniciar sesión aquí con esta cuenta. La cuenta en sí no se elimina.',
      sessions:
        'Se cierran todas tus sesiones, por si otra persona ha iniciado sesión de esta forma. Después, inicia sesión de otra forma.',
      keep: 'Conservar',
      doneTitle: (provider) => `La cuenta de ${provider} se ha desvinculado`,
      signedOut: 'Se han cerrado todas tus sesiones.',
      signInOtherwise: 'Inicia sesión de otra forma.',
      unknownTitle: 'Esta forma de iniciar sesión no está en tu cuenta',
      unknown: 'Es posible que ya se haya quitado.',
    },
    link: (provider) => `Vincular ${provider}`,
    linkAnother: (provider) => `Vincular otra cuenta de ${provider}`,
    sessionsHeading: 'Dónde has iniciado sesión',
    unknownBrowser: 'Un navegador',
    thisBrowser: 'este navegador',
    signedInOn: (date) => `sesión iniciada el ${date}`,
    lastUsedOn: (date) => `último uso el ${date}`,
    usedFor: (apps) => `usada para ${apps}`,
    showMore: (count) => `Mostrar ${count} más`,
    endSession: 'Finalizar esta sesión',
    endOtherSessions: 'Cerrar todas las demás sesiones',
    consentsHeading: 'Aplicaciones a las que has dado acceso',
    noConsents: 'Ninguna por ahora.',
    withdrawConsent: 'Retirar el acceso',
    dataNote:
      'Un archivo JSON con tu perfil, tus formas de iniciar sesión, tus sesiones, los permisos de aplicaciones y los registros de seguridad.',
    downloadData: 'Descargar tus datos',
    deleteAccount: 'Eliminar tu cuenta',
    deleteLead: 'Esto no se puede deshacer. Si eliminas tu cuenta:',
    deleteEffects: {
      data: 'Se eliminan de este servicio tu nombre, tu foto, tu correo electrónico y todas tus formas de iniciar sesión.',
      accounts: (services) => `Tus cuentas en otros servicios (${services}) no se eliminan.`,
      sessions: 'Se cierran todas tus sesiones y ninguna aplicación puede seguir usando tu cuenta.',
      apps: 'Las aplicaciones conservan los datos que ya tienen. Pídeles que los eliminen.',
      records: (duration) =>
        `Los registros de seguridad de esta cuenta, como las fechas de inicio de sesión, se conservan ${duration}, sin tu nombre.`,
      later: 'Si más adelante vuelves a iniciar sesión, tendrás una cuenta nueva y vacía.',
    },
    deletePermanently: 'Eliminar definitivamente',
    keepAccount: 'Conservar tu cuenta',
    deletedTitle: 'Tu cuenta se ha eliminado',
    deletedText:
      'Es posible que la plataforma aún muestre este servicio entre tus aplicaciones conectadas. También puedes quitarlo allí.',
  },
  actions: {
    tryAgain: 'Intentarlo de nuevo',
    goBack: 'Volver al punto de partida',
    goToSignIn: 'Ir al inicio de sesión',
    keepCurrentAccount: 'Conservar la cuenta actual',
    switchAccount: 'Iniciar sesión con la otra cuenta',
    useDifferentAccount: 'Usar otra cuenta',
    chooseProvider: 'Elegir otra forma de iniciar sesión',
    goToAccount: 'Ir a tu cuenta',
    checkAgain: 'Comprobar de nuevo',
  },
  footer: {
    privacyPolicy: 'Política de privacidad',
    terms: 'Condiciones del servicio',
    language: 'Idioma',
  },
  errorPage: {
    code: 'Código',
    reference: 'Referencia',
  },
  errors: {
    access_denied: {
      title: 'Inicio de sesión cancelado',
      text: 'Lo cancelaste, o la plataforma no deja que esta cuenta inicie sesión en otras aplicaciones. Nada ha cambiado. Si lo cancelaste por error, inténtalo de nuevo.',
    },
    account_taken: {
      title: 'Esta cuenta está vinculada a otro usuario',
      text: 'Una cuenta solo se puede vincular a un usuario. Si ese usuario también eres tú, inicia sesión con esta cuenta, desconéctala en la página de tu cuenta y vuelve a vincularla aquí.',
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
      text: 'La aplicación que te envió aquí no está registrada en este servicio (client_id). Avisa a los responsables de la aplicación: solo ellos pueden corregirlo.',
    },
    code_expired: {
      title: 'La confirmación ha caducado',
      text: 'La plataforma confirmó tu inicio de sesión, pero la confirmación caducó o se usó antes de que pudiéramos comprobarla. Vuelve a iniciar sesión.',
    },
    configuration: {
      title: 'Este servicio no está bien configurado',
      text: 'No es culpa tuya. Nadie puede iniciar sesión hasta que el operador de este servicio corrija su configuración. Envíale la referencia de abajo.',
    },
    credentials_rejected: {
      title: 'No era correcto',
      text: 'El código o los datos que has introducido para iniciar sesión no son correctos. Compruébalos e inténtalo de nuevo.',
    },
    cross_site: {
      title: 'Esta petición vino de otro sitio',
      text: 'No se ha llevado a cabo, para proteger tu cuenta. Si querías hacer esto, abre la página de inicio de sesión o la de tu cuenta y hazlo allí.',
    },
    id_token_hint_refused: {
      title: 'La aplicación no pudo cerrar tu sesión',
      text: 'No envió un id_token_hint válido, así que no pudimos comprobar su petición. Puede que tu sesión siga abierta: ciérrala aquí. Los responsables de la aplicación pueden corregirlo.',
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
      text: 'Por ahora, la plataforma solo deja iniciar sesión aquí a determinadas cuentas de prueba. Usa otra cuenta o pide al operador de este servicio que añada la tuya.',
    },
    not_found: {
      title: 'Página no encontrada',
      text: 'No hay ninguna página en esta dirección. Comprueba que está bien escrita o continúa en la página de inicio de sesión o en la de tu cuenta.',
    },
    passkey_rejected: {
      title: 'No se aceptó esta llave de acceso',
      text: 'No está registrada aquí o no se pudo verificar. No ha cambiado nada. Prueba con otra llave de acceso, o inicia sesión de otra forma y revisa las llaves de acceso en la página de tu cuenta.',
    },
    post_logout_redirect_uri_refused: {
      title: 'Se ha detenido el cierre de sesión',
      text: 'La aplicación quería enviarte a una dirección que no ha registrado (post_logout_redirect_uri). Puede que tu sesión siga abierta: ciérrala aquí. Los responsables de la aplicación pueden corregirlo.',
    },
    provider_invalid: {
      title: 'La plataforma envió una respuesta no válida',
      text: 'No pudimos verificar quién eres, así que no se ha iniciado la sesión. Inténtalo de nuevo. Si se repite, envía la referencia de abajo al operador de este servicio.',
    },
    provider_misconfigured: {
      title: 'Esta opción de inicio de sesión no funciona',
      text: 'No es culpa tuya, y volver a intentarlo no servirá: solo puede corregirlo el operador de este servicio. Envíale la referencia de abajo. Si también puedes iniciar sesión de otra forma, elígela.',
    },
    provider_refused: {
      title: 'La plataforma no aceptó nuestra petición',
      text: 'No es culpa tuya, y solo el operador de este servicio puede corregirlo. Envíale la referencia de abajo.',
    },
    provider_unavailable: {
      title: 'La plataforma no responde',
      text: 'Está sobrecargada o tiene un problema temporal, así que no se ha iniciado la sesión. Inténtalo de nuevo en un minuto.',
    },
    provider_unknown: {
      title: 'Esta opción de inicio de sesión no existe',
      text: 'La plataforma que indica esta dirección no está disponible aquí. Ve a la página de inicio de sesión para ver las que sí lo están.',
    },
    redirect_uri_refused: {
      title: 'Esta aplicación no puede recibir tu inicio de sesión',
      text: 'Quería recibir el resultado en una dirección que no ha registrado (redirect_uri). Avisa a los responsables de la aplicación: solo ellos pueden corregirlo.',
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
      text: 'Tras iniciar sesión te enviaría a una dirección que no está registrada en este servicio (callbackUrl), así que nos hemos detenido aquí. Si te dio este enlace una aplicación, avisa a sus responsables.',
    },
    scope_missing: {
      title: 'Falta un permiso necesario',
      text: 'En la página de la plataforma desactivaste un permiso que hace falta aquí. Vuelve a iniciar sesión y déjalo activado.',
    },
    sign_in_again: {
      title: 'Vuelve a iniciar sesión primero',
      text: 'Para proteger tu cuenta, antes de cambiarla hay que iniciar sesión de nuevo, aunque acabes de hacerlo. Vuelve a iniciar sesión y repite el cambio en los diez minutos siguientes.',
    },
    too_many_guesses: {
      title: 'Demasiados intentos fallidos',
      text: 'Lo que has introducido era incorrecto demasiadas veces, así que hemos detenido este inicio de sesión para proteger la cuenta. Espera un rato y vuelve a empezar.',
    },
    too_many_requests: {
      title: 'Demasiadas peticiones',
      text: 'Tu dirección de red ha enviado demasiadas peticiones en poco tiempo. Espera un minuto e inténtalo de nuevo.',
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
