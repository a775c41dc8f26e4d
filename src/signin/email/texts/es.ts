import type { EmailTexts } from './en.ts'

export const es: EmailTexts = {
  name: 'Correo electrónico',
  method: 'correo electrónico',
  removal: {
    remove: 'Quitar esta dirección',
    title: '¿Quitar esta dirección de correo?',
    effect: 'Ya no podrás iniciar sesión aquí con esta dirección.',
    doneTitle: 'La dirección de correo se ha quitado',
  },
  address: {
    title: 'Iniciar sesión con correo',
    label: 'Correo electrónico',
    send: 'Recibir un código por correo',
    invalid: 'No es una dirección de correo. Escribe una como nombre@example.com.',
    tooMany: (duration) =>
      `Se han pedido demasiados mensajes. Inténtalo de nuevo dentro de ${duration}.`,
    linkTitle: 'Añadir una dirección de correo',
    linkAnother: 'Añadir otra dirección de correo',
    linkLead: 'Después podrás iniciar sesión con un código que enviaremos a esta dirección.',
    linkConfirm: 'Añadir esta dirección',
  },
  code: {
    title: 'Revisa tu correo',
    linkTitle: 'Confirma tu dirección de correo',
    lead: (address) =>
      `Hemos enviado un mensaje a ${address}. Escribe aquí el código de seis cifras o abre su enlace en este navegador.`,
    label: 'Código de seis cifras',
    wrong: (remaining) => `El código no es correcto. Intentos restantes: ${remaining}.`,
    notArrived: '¿No ha llegado en un minuto? Comprueba la dirección y la carpeta de spam.',
    sendAgain: 'Enviarlo de nuevo',
    sentAgain: 'Hemos enviado el mensaje de nuevo. El código es el mismo.',
    wait: 'Espera medio minuto antes de pedir el mensaje otra vez.',
    otherAddress: 'Usar otra dirección',
  },
  link: {
    title: 'Terminar de iniciar sesión',
    lead: (address) => `Pulsa el botón para iniciar sesión con ${address}.`,
    linkLead: (address) => `Pulsa el botón para añadir ${address} a tu cuenta.`,
  },
  elsewhere: {
    title: 'Escribe el código donde empezaste',
    lead: 'Este enlace funciona una sola vez y solo en el navegador en el que lo pediste. Vuelve allí y escribe el código de seis cifras del mensaje.',
    startedIn: (browser) => `Pedido en: ${browser}`,
    warning:
      'Si no lo has pedido, ignora el mensaje y no des el código a nadie: quien lo tenga puede entrar en tu cuenta.',
  },
  message: {
    subject: (app) => `Tu código para iniciar sesión en ${app}`,
    lead: (app) => `Tu código para iniciar sesión en ${app}:`,
    linkSubject: (host) => `Tu código para añadir esta dirección en ${host}`,
    linkLead: (host) => `Tu código para añadir esta dirección a tu cuenta de ${host}:`,
    link: 'O abre este enlace en el navegador en el que pediste el código:',
    button: 'Iniciar sesión',
    validity: (duration) => `Usa el código o el enlace, una sola vez, en un plazo de ${duration}.`,
    onlyAt: (host) =>
      `Escribe el código solo en ${host}. No se lo des a nadie, aunque diga que trabaja con nosotros.`,
    requestedFrom: (origin) => `Solicitado desde: ${origin}`,
    ignore: 'Si no lo has pedido, ignora este mensaje. Sin el código no pasará nada.',
  },
}
