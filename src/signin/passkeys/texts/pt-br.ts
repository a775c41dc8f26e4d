import type { PasskeyTexts } from './en.ts'

export const ptBr: PasskeyTexts = {
  method: 'uma chave de acesso',
  signIn: 'Entrar com uma chave de acesso',
  confirm: 'Confirmar com sua chave de acesso',
  waiting: 'Siga as instruções do seu dispositivo.',
  failed: 'Nenhuma chave de acesso foi usada. Tente de novo ou entre de outra forma.',
  heading: 'Chaves de acesso',
  lead: 'Entre com sua impressão digital, seu rosto ou o PIN do seu dispositivo.',
  add: 'Adicionar uma chave de acesso',
  createTitle: 'Adicionar uma chave de acesso',
  createLead:
    'Toda chave de acesso precisa de um nome para você reconhecê-la depois, como “Meu celular” ou “Computador do trabalho”.',
  name: 'Nome',
  create: 'Criar chave de acesso',
  unsupported:
    'Este navegador não é compatível com chaves de acesso, ou o JavaScript está desativado. Use um navegador atual ou ative o JavaScript.',
  existing: 'Este dispositivo já tem uma chave de acesso para sua conta.',
  createFailed: 'Nenhuma chave de acesso foi criada. Tente de novo.',
  addedOn: (date) => `Adicionada em ${date}`,
  lastUsedOn: (date) => `usada pela última vez em ${date}`,
  neverUsed: 'ainda não usada',
  synced: 'disponível em vários dispositivos',
  notSynced: 'salva em um único dispositivo',
  rename: 'Renomear',
  renameTitle: 'Renomear chave de acesso',
  save: 'Salvar',
  removal: {
    remove: 'Remover chave de acesso',
    title: 'Remover esta chave de acesso?',
    effect:
      'Você não poderá mais entrar aqui com esta chave de acesso. Se ela continuar em um dispositivo, exclua-a lá também.',
    doneTitle: 'A chave de acesso foi removida',
  },
  lastMethod:
    'Esta chave de acesso é sua única forma de entrar. Para removê-la, adicione outra forma antes.',
  tooMany: (count) =>
    `Você atingiu o limite de ${count} chaves de acesso. Remova uma para adicionar outra.`,
  deletionNote:
    'Suas chaves de acesso não funcionam mais aqui. Se continuarem nos seus dispositivos, exclua-as lá também.',
}
