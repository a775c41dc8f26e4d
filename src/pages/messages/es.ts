import type { Messages } from './choose.ts'

export const es: Messages = {
  language: 'es',
  signIn: {
    title: 'Iniciar sesión',
    titleFor: (app) => `Iniciar sesión en ${app}`,
    lead: 'Elige cómo quieres iniciar sesión.',
    continueWith: (provider) => `Continuar con ${provider}`,
    privacy: 'Tu contraseña se queda en la plataforma. Solo sabremos lo que le permitas compartir.',
    inApp: 'Estás en un navegador dentro de otra aplicación, donde iniciar sesión suele fallar.',
    toBrowser: 'Abrir en tu navegador',
    scan: 'Iniciar sesión con tu móvil',
  },
  qr: {
    title: 'Un código para iniciar sesión con tu móvil',
    lead: (provider) => `Escanea este código con la aplicación de ${provider} en tu móvil.`,
    scanned: 'Ahora confírmalo en tu móvil.',
    expired: 'Este código ha caducado.',
    another: 'Mostrar otro código',
    beware:
      'Escanea solo un código que hayas pedido tú: inicia sesión en la pantalla que lo muestra.',
  },
  signedIn: {
    title: 'Has iniciado sesión',
    as: (name) => `Has iniciado sesión como ${name}.`,
    someone: 'alguien sin nombre',
    goOn: 'Continuar',
    goOnTo: (app) => `Continuar a ${app}`,
    another: 'O usa otra cuenta:',
    signOut: 'Cerrar sesión',
  },
  signOut: {
    title: '¿Cerrar sesión?',
    lead: 'Tendrás que volver a iniciar sesión en todas las aplicaciones que usan este acceso.',
    confirm: 'Cerrar sesión',
    stay: 'Seguir conectado',
  },
  signedOut: {
    title: 'Has cerrado sesión',
    lead: 'Tu sesión en este navegador ha terminado. La plataforma con la que entraste quizá aún te reconozca.',
    again: 'Volver a iniciar sesión',
  },
  consent: {
    title: (app) => `¿Permitir que ${app} use tu cuenta?`,
    lead: (name) => `Has iniciado sesión como ${name}.`,
    sees: 'Podrá',
    scopes: {
      openid: 'reconocerte',
      profile: 'ver tu nombre y tu foto',
      email: 'ver tu correo electrónico',
      platform: 'ver lo que la plataforma dice de ti, como tu número de seguidores',
      offline_access: 'hacerlo mientras no estás',
    },
    leads: (host) => `Volverás a ${host}.`,
    approve: 'Permitir',
    deny: 'Cancelar',
  },
  answer: {
    title: 'Ya casi está',
    lead: (host) => `Continúa a ${host}.`,
    goOn: 'Continuar',
  },
  account: {
    title: 'Tu cuenta',
    as: (name) => `Has iniciado sesión como ${name}.`,
    accounts: 'Puedes iniciar sesión con',
    since: (date) => `vinculada el ${date}`,
    disconnect: (provider) => `Desconectar ${provider}`,
    link: (provider) => `Vincular ${provider}`,
    sessions: 'Dónde has iniciado sesión',
    someBrowser: 'Un navegador',
    thisBrowser: 'este navegador',
    seen: (date) => `visto por última vez el ${date}`,
    end: 'Cerrar esa sesión',
    endOthers: 'Cerrar todas las demás',
    consents: 'Lo que has permitido',
    withdraw: 'Retirar el permiso',
    remove: 'Eliminar tu cuenta',
    removeLead:
      'Se cerrarán todas tus sesiones y te olvidaremos. Lo que guardan las aplicaciones queda en ellas. No se puede deshacer.',
    keep: 'Conservarla',
    removed: 'Tu cuenta se ha eliminado',
    removedLead:
      'Puede que la plataforma nos muestre aún entre tus aplicaciones: quítanos también allí.',
  },
  error: {
    tryAgain: 'Intentarlo de nuevo',
    backTo: 'Volver al punto de partida',
    switchAccount: 'Entrar con la otra cuenta',
    stay: 'Conservar mi sesión actual',
    toSignIn: 'Ir al inicio de sesión',
    reference: 'Referencia',
    code: 'Código',
  },
  errors: {
    access_denied: {
      title: 'Inicio de sesión cancelado',
      text: 'Tú, o la plataforma, no permitisteis este inicio de sesión. Nada ha cambiado y puedes intentarlo de nuevo.',
    },
    account_taken: {
      title: 'Esa cuenta pertenece a otra persona aquí',
      text: 'No se ha vinculado nada. Si es tuya, entra con ella y desvincúlala allí primero.',
    },
    client_unknown: {
      title: 'Aplicación desconocida',
      text: 'La aplicación que te envió aquí no está registrada (client_id). Avisa a quien la gestiona.',
    },
    id_token_hint_refused: {
      title: 'No se puede cerrar la sesión así',
      text: 'La aplicación no demostró quién es (id_token_hint). Puedes cerrar la sesión en la página de inicio de sesión.',
    },
    post_logout_redirect_uri_refused: {
      title: 'No se puede cerrar la sesión así',
      text: 'La dirección de regreso (post_logout_redirect_uri) no está registrada. Puedes cerrar la sesión en la página de inicio de sesión.',
    },
    redirect_uri_refused: {
      title: 'No se puede responder a esta aplicación',
      text: 'La dirección donde espera la respuesta (redirect_uri) no está registrada. Avisa a quien la gestiona.',
    },
    already_signed_in: {
      title: 'Ya has iniciado sesión',
      text: 'Este navegador tiene la sesión de otra persona. Elige qué cuenta debe usar.',
    },
    attempt_missing: {
      title: 'No se puede terminar este inicio de sesión',
      text: 'Tardó demasiado, ya había terminado o empezó en otro navegador. Empieza de nuevo, por favor.',
    },
    code_expired: {
      title: 'El inicio de sesión tardó demasiado',
      text: 'La plataforma ya no acepta este intento. Prueba otra vez, por favor.',
    },
    configuration: {
      title: 'Este servicio no está bien configurado',
      text: 'Nadie puede entrar hasta que su operador corrija los ajustes. Dile la referencia de abajo.',
    },
    cross_site: {
      title: 'Esta petición vino de otro sitio',
      text: 'Por tu seguridad no se ha ejecutado. Si querías hacerlo, empieza en la página de inicio de sesión.',
    },
    internal: {
      title: 'Algo ha fallado por nuestra parte',
      text: 'Inténtalo de nuevo. Si se repite, dinos la referencia de abajo.',
    },
    method_not_allowed: {
      title: 'Eso no funciona aquí',
      text: 'Esta dirección no responde a peticiones de ese tipo.',
    },
    not_eligible: {
      title: 'La plataforma no permite entrar con esta cuenta',
      text: 'Según la plataforma, tu cuenta aún no puede usarse con esta aplicación. Prueba con otra.',
    },
    not_found: {
      title: 'Aquí no hay nada',
      text: 'No existe ninguna página en esta dirección.',
    },
    provider_invalid: {
      title: 'La plataforma dio una respuesta que no podemos usar',
      text: 'No has iniciado sesión. Inténtalo de nuevo dentro de un momento.',
    },
    provider_refused: {
      title: 'La plataforma rechazó este servicio',
      text: 'No es culpa tuya: debe arreglarlo el operador. Dile la referencia de abajo.',
    },
    provider_unavailable: {
      title: 'La plataforma no responde',
      text: 'Parece tener problemas ahora mismo. Inténtalo de nuevo en un minuto.',
    },
    provider_unknown: {
      title: 'Forma de entrar desconocida',
      text: 'Este servicio no ofrece esa plataforma.',
    },
    request_invalid: {
      title: 'Esta petición está incompleta',
      text: 'Falta algo en la dirección o está mal escrito. Empieza de nuevo desde la aplicación.',
    },
    request_too_large: {
      title: 'Esta petición es demasiado grande',
      text: 'No se ha leído. Borrar las cookies de este sitio puede ayudar.',
    },
    return_url_refused: {
      title: 'Esa aplicación no está registrada aquí',
      text: 'La dirección de regreso (callbackUrl) no pertenece a ninguna aplicación conocida.',
    },
    scope_missing: {
      title: 'Falta algo',
      text: 'Has dejado fuera algo que hace falta para entrar aquí. Inténtalo de nuevo y déjalo todo activado.',
    },
    sign_in_again: {
      title: 'Vuelve a iniciar sesión primero',
      text: 'Para cambiar tus cuentas debes haber iniciado sesión en los últimos diez minutos.',
    },
    too_many_requests: {
      title: 'Demasiadas peticiones',
      text: 'Algo en tu dirección pregunta con demasiada frecuencia. Espera un minuto y vuelve a intentarlo.',
    },
    unavailable: {
      title: 'No disponible en este momento',
      text: 'No se ha perdido nada. Inténtalo de nuevo dentro de un momento.',
    },
  },
}
