import type { EmailTexts } from './en.ts'

export const ptBr: EmailTexts = {
  name: 'E-mail',
  method: 'e-mail',
  removal: {
    remove: 'Remover este endereço',
    title: 'Remover este endereço de e-mail?',
    effect: 'Você não poderá mais entrar aqui com este endereço.',
    doneTitle: 'O endereço de e-mail foi removido',
  },
  address: {
    title: 'Entrar com e-mail',
    label: 'Endereço de e-mail',
    send: 'Receber um código por e-mail',
    invalid: 'Isto não é um endereço de e-mail. Digite um como nome@example.com.',
    tooMany: (duration) => `Foram pedidas mensagens demais. Tente de novo em ${duration}.`,
    linkTitle: 'Adicionar um endereço de e-mail',
    linkAnother: 'Adicionar outro endereço de e-mail',
    linkLead: 'Depois você poderá entrar com um código que enviaremos para este endereço.',
    linkConfirm: 'Adicionar este endereço',
  },
  code: {
    title: 'Veja seu e-mail',
    linkTitle: 'Confirme seu endereço de e-mail',
    lead: (address) =>
      `Enviamos uma mensagem para ${address}. Digite aqui o código de seis dígitos ou abra o link dela neste navegador.`,
    label: 'Código de seis dígitos',
    wrong: (remaining) => `O código não está correto. Tentativas restantes: ${remaining}.`,
    notArrived: 'Nenhuma mensagem depois de um minuto? Confira o endereço e a pasta de spam.',
    sendAgain: 'Enviar de novo',
    sentAgain: 'Enviamos a mensagem de novo. O código é o mesmo.',
    wait: 'Espere meio minuto antes de pedir a mensagem outra vez.',
    otherAddress: 'Usar outro endereço',
  },
  link: {
    title: 'Concluir o login',
    lead: (address) => `Clique no botão para entrar com ${address}.`,
    linkLead: (address) => `Clique no botão para adicionar ${address} à sua conta.`,
  },
  elsewhere: {
    title: 'Digite o código onde você começou',
    lead: 'Este link funciona uma vez, e só no navegador em que você o pediu. Volte para lá e digite o código de seis dígitos da mensagem.',
    startedIn: (browser) => `Pedido em: ${browser}`,
    warning:
      'Se você não o pediu, ignore a mensagem e não dê o código a ninguém: quem tiver o código pode entrar na sua conta.',
  },
  message: {
    subject: (app) => `Seu código para entrar em ${app}`,
    lead: (app) => `Seu código para entrar em ${app}:`,
    linkSubject: (host) => `Seu código para adicionar este endereço em ${host}`,
    linkLead: (host) => `Seu código para adicionar este endereço à sua conta em ${host}:`,
    link: 'Ou abra este link no navegador em que você pediu o código:',
    button: 'Entrar',
    validity: (duration) => `Use o código ou o link, uma única vez, em até ${duration}.`,
    onlyAt: (host) =>
      `Digite o código apenas em ${host}. Não o dê a ninguém, nem a quem disser que trabalha conosco.`,
    requestedFrom: (origin) => `Pedido de: ${origin}`,
    ignore: 'Se você não pediu isto, ignore esta mensagem. Sem o código, nada acontece.',
  },
}
