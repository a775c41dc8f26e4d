import type { Messages } from './choose.ts'
import type { Explanation } from './en.ts'

const lost: Explanation = [
  'No se puede terminar este inicio de sesión',
  'Tardó demasiado, ya había terminado o empezó en otro navegador. Empieza de nuevo.',
]

const broken: Explanation = [
  'Este servicio necesita a su operador',
  'No es culpa tuya. Dile la referencia de abajo.',
]

const unavailable: Explanation = [
  'No disponible en este momento',
  'Nada ha cambiado. Inténtalo de nuevo en un minuto.',
]

const nothing: Explanation = ['Aquí no hay nada', 'Esta dirección no responde a eso.']

export const es: Messages = {
  language: 'es',
  signIn: {
    title: 'Iniciar sesión',
    titleFor: (app) => `Iniciar sesión en ${app}`,
    lead: 'Elige cómo quieres iniciar sesión.',
    continueWith: (provider) => `Continuar con ${provider}`,
    privacy: 'Tu contraseña se queda en la plataforma. Solo comparte lo que permitas.',
    inApp: 'Iniciar sesión suele fallar dentro de otra aplicación.',
    toBrowser: 'Abrir en tu navegador',
    scan: 'Iniciar sesión con tu móvil',
  },
  qr: {
    lead: (provider) => `Escanea este código con la aplicación de ${provider} en tu móvil.`,
    scanned: 'Ahora confírmalo en tu móvil.',
    expired: 'Este código ha caducado.',
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
  },
  signOut: {
    title: '¿Cerrar sesión?',
    lead: 'Tendrás que volver a iniciar sesión en todas las aplicaciones que usan este acceso.',
    confirm: 'Cerrar sesión',
    stay: 'Mantener la sesión',
  },
  signedOut: {
    title: 'Has cerrado sesión',
    lead: 'La plataforma con la que entraste quizá aún te reconozca.',
  },
  consent: {
    title: (app) => `¿Permitir que ${app} use tu cuenta?`,
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
  answer: { title: 'Ya casi está' },
  account: {
    title: 'Tu cuenta',
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
      'Te olvidaremos y se cerrarán todas tus sesiones. Las aplicaciones conservan lo que tienen. No se puede deshacer.',
    keep: 'Conservar esta cuenta',
    removed: 'Tu cuenta se ha eliminado',
    removedLead:
      'Puede que la plataforma nos muestre aún entre tus aplicaciones: quítanos también allí.',
  },
  error: {
    tryAgain: 'Intentarlo de nuevo',
    backTo: 'Volver al punto de partida',
    switchAccount: 'Iniciar sesión con la otra cuenta',
    toSignIn: 'Ir al inicio de sesión',
    reference: 'Referencia',
    code: 'Código',
  },
  errors: {
    access_denied: [
      'Inicio de sesión cancelado',
      'Lo cancelaste tú o la plataforma. Nada ha cambiado.',
    ],
    account_taken: [
      'Esa cuenta pertenece a otra persona aquí',
      'Si es tuya, inicia sesión con ella y desconéctala primero.',
    ],
    already_signed_in: [
      'Ya has iniciado sesión',
      'Este navegador tiene la sesión de otra persona.',
    ],
    attempt_missing: lost,
    client_unknown: unregistered('client_id'),
    code_expired: lost,
    configuration: broken,
    cross_site: ['Esta petición vino de otro sitio', 'Por tu seguridad no se ha ejecutado.'],
    id_token_hint_refused: signOutRefused('id_token_hint'),
    internal: [
      'Algo ha fallado por nuestra parte',
      'Inténtalo de nuevo. Si se repite, dinos la referencia de abajo.',
    ],
    method_not_allowed: nothing,
    not_eligible: [
      'Esta cuenta no puede iniciar sesión aquí',
      'La plataforma aún no lo permite. Prueba con otra cuenta.',
    ],
    not_found: nothing,
    post_logout_redirect_uri_refused: signOutRefused('post_logout_redirect_uri'),
    provider_invalid: unavailable,
    provider_refused: broken,
    provider_unavailable: unavailable,
    provider_unknown: nothing,
    redirect_uri_refused: unregistered('redirect_uri'),
    request_invalid: [
      'Esta petición está incompleta',
      'Falta algo o está mal escrito. Empieza de nuevo desde la aplicación.',
    ],
    request_too_large: [
      'Esta petición es demasiado grande',
      'Borrar las cookies de este sitio puede ayudar.',
    ],
    return_url_refused: unregistered('callbackUrl'),
    scope_missing: [
      'Falta algo',
      'Has desactivado algo que hace falta aquí. Inténtalo de nuevo y déjalo activado.',
    ],
    sign_in_again: [
      'Vuelve a iniciar sesión primero',
      'Para cambiar tu cuenta debes haber iniciado sesión en los últimos diez minutos.',
    ],
    too_many_requests: [
      'Demasiadas peticiones',
      'Vienen de tu dirección. Inténtalo de nuevo en un minuto.',
    ],
    unavailable,
  },
}

function unregistered(parameter: string): Explanation {
  return [
    'No se puede responder a esta aplicación',
    `No ha registrado este ${parameter}. Avisa a quien la gestiona.`,
  ]
}

function signOutRefused(parameter: string): Explanation {
  return [
    'No se puede cerrar la sesión así',
    `La aplicación no envió un ${parameter} válido. Cierra la sesión en la página de inicio de sesión.`,
  ]
}
