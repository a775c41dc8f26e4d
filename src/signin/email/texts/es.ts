import type { EmailTexts } from './en.ts'

export const es: EmailTexts = {
  name: 'Correo electrónico',
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
    tooMany: 'Se han pedido demasiados mensajes. Espera un rato o inicia sesión de otra forma.',
    linkTitle: 'Añadir una dirección de correo',
  },
  code: {
    title: 'Revisa tu correo',
    lead: (address) =>
      `Hemos enviado un mensaje a ${address}. Escribe aquí el código de seis cifras o abre su enlace en este navegador.`,
    label: 'Código de seis cifras',
    wrong: (remaining) => `El código no es correcto. Intentos restantes: ${remaining}.`,
    notArrived: '¿No ha llegado en un minuto? Comprueba la dirección y la carpeta de spam.',
    sendAgain: 'Enviarlo de nuevo',
    sentAgain: 'Hemos enviado el mensaje de nuevo.',
    wait: 'Espera medio minuto antes de pedir el mensaje otra vez.',
    otherAddress: 'Usar otra dirección',
  },
  link: {
    title: 'Terminar de iniciar sesión',
    lead: (address) => `Has abierto el enlace que enviamos a ${address}.`,
  },
  elsewhere: {
    title: 'Escribe el código donde empezaste',
    lead: 'Este enlace funciona una sola vez y solo en el navegador en el que empezó el inicio de sesión. Vuelve allí y escribe el código de seis cifras del mensaje.',
    startedIn: (browser) => `Empezó en: ${browser}`,
    warning:
      'Si no has empezado a iniciar sesión, ignora el mensaje y no des el código a nadie: quien lo tenga puede entrar en tu cuenta.',
  },
  message: {
    subject: (app) => `Iniciar sesión en ${app}`,
    lead: (app) => `Tu código para iniciar sesión en ${app}:`,
    link: 'O abre este enlace en el navegador en el que empezaste:',
    button: 'Iniciar sesión',
    validity: (duration) => `El código y el enlace sirven una vez, durante ${duration}.`,
    onlyAt: (host) =>
      `Escribe el código solo en ${host}. No se lo des a nadie, aunque diga que trabaja con nosotros.`,
    requestedFrom: (origin) => `Solicitado desde: ${origin}`,
    ignore: 'Si no lo has pedido, ignora este mensaje. Nadie puede iniciar sesión sin él.',
  },
}
