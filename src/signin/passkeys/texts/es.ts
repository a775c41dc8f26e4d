import type { PasskeyTexts } from './en.ts'

export const es: PasskeyTexts = {
  signIn: 'Iniciar sesión con una llave de acceso',
  field: 'Tus llaves de acceso',
  confirm: 'Confirmar con tu llave de acceso',
  confirmLead: 'Para continuar, confirma que eres tú.',
  failed: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o inicia sesión de otra forma.',
  heading: 'Llaves de acceso',
  lead: 'Inicia sesión con tu huella, tu cara o un PIN, sin otro servicio.',
  add: 'Añadir una llave de acceso',
  createTitle: 'Añadir una llave de acceso',
  createLead:
    'Ponle un nombre por el que la reconozcas, como tu teléfono o tu gestor de contraseñas.',
  name: 'Nombre',
  namePlaceholder: 'Mi teléfono',
  create: 'Crear llave de acceso',
  cancel: 'Cancelar',
  unsupported: 'Este navegador no admite llaves de acceso, o JavaScript está desactivado.',
  existing: 'Este dispositivo ya tiene una llave de acceso para tu cuenta.',
  createFailed: 'No se creó ninguna llave de acceso. Inténtalo de nuevo.',
  addedOn: (date) => `Añadida el ${date}`,
  lastUsedOn: (date) => `usada por última vez el ${date}`,
  neverUsed: 'aún no usada',
  synced: 'disponible en varios dispositivos',
  notSynced: 'solo en un dispositivo',
  rename: 'Cambiar nombre',
  save: 'Guardar',
  removal: {
    remove: 'Eliminar llave de acceso',
    title: '¿Eliminar esta llave de acceso?',
    effect:
      'Ya no podrás iniciar sesión aquí con esta llave de acceso. Seguirá en tu dispositivo: elimínala también allí.',
    doneTitle: 'La llave de acceso se ha eliminado',
  },
  lastMethod:
    'Esta llave de acceso es tu única forma de iniciar sesión. Para eliminarla, vincula antes una cuenta o añade otra llave de acceso.',
  tooMany: (count) =>
    `Has alcanzado el límite de ${count} llaves de acceso. Elimina una para añadir otra.`,
  deletionNote:
    'Tus llaves de acceso siguen en tus dispositivos, pero ya no sirven aquí. Elimínalas también allí.',
}
