import type { PasskeyTexts } from './en.ts'

export const es: PasskeyTexts = {
  method: 'una llave de acceso',
  signIn: 'Iniciar sesión con una llave de acceso',
  confirm: 'Confirmar con tu llave de acceso',
  waiting: 'Sigue las instrucciones de tu dispositivo.',
  failed: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o inicia sesión de otra forma.',
  heading: 'Llaves de acceso',
  lead: 'Inicia sesión con tu huella, tu cara o el PIN de tu dispositivo.',
  add: 'Añadir una llave de acceso',
  createTitle: 'Añadir una llave de acceso',
  createLead:
    'Cada llave de acceso necesita un nombre para que la reconozcas después, como «Mi teléfono» o «Portátil del trabajo».',
  name: 'Nombre',
  create: 'Crear llave de acceso',
  unsupported:
    'Este navegador no admite llaves de acceso, o JavaScript está desactivado. Usa un navegador actual o activa JavaScript.',
  existing: 'Este dispositivo ya tiene una llave de acceso para tu cuenta.',
  createFailed: 'No se creó ninguna llave de acceso. Inténtalo de nuevo.',
  addedOn: (date) => `Añadida el ${date}`,
  lastUsedOn: (date) => `usada por última vez el ${date}`,
  neverUsed: 'aún no usada',
  synced: 'disponible en varios dispositivos',
  notSynced: 'guardada en un solo dispositivo',
  rename: 'Cambiar nombre',
  renameTitle: 'Cambiar nombre de la llave de acceso',
  save: 'Guardar',
  removal: {
    remove: 'Eliminar llave de acceso',
    title: '¿Eliminar esta llave de acceso?',
    effect:
      'Ya no podrás iniciar sesión aquí con esta llave de acceso. Si sigue en un dispositivo, elimínala también allí.',
    doneTitle: 'La llave de acceso se ha eliminado',
  },
  lastMethod:
    'Esta llave de acceso es tu única forma de iniciar sesión. Para eliminarla, añade antes otra forma.',
  tooMany: (count) =>
    `Has alcanzado el límite de ${count} llaves de acceso. Elimina una para añadir otra.`,
  deletionNote:
    'Tus llaves de acceso ya no sirven aquí. Si siguen en tus dispositivos, elimínalas también allí.',
}
