import type { EmailTexts } from './en.ts'

export const ptBr: EmailTexts = {
  name: 'E-mail',
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
    tooMany: 'Foram pedidas mensagens demais. Espere um pouco ou entre de outra forma.',
    linkTitle: 'Adicionar um endereço de e-mail',
  },
  code: {
    title: 'Veja seu e-mail',
    lead: (address) =>
      `Enviamos uma mensagem para ${address}. Digite aqui o código de seis dígitos ou abra o link dela neste navegador.`,
    label: 'Código de seis dígitos',
    wrong: (remaining) => `O código não está correto. Tentativas restantes: ${remaining}.`,
    notArrived: 'Nenhuma mensagem depois de um minuto? Confira o endereço e a pasta de spam.',
    sendAgain: 'Enviar de novo',
    sentAgain: 'Enviamos a mensagem de novo.',
    wait: 'Espere meio minuto antes de pedir a mensagem outra vez.',
    otherAddress: 'Usar outro endereço',
  },
  link: {
    title: 'Concluir o login',
    lead: (address) => `Você abriu o link que enviamos para ${address}.`,
  },
  elsewhere: {
    title: 'Digite o código onde você começou',
    lead: 'Este link funciona uma vez, e só no navegador em que o login foi iniciado. Volte para lá e digite o código de seis dígitos da mensagem.',
    startedIn: (browser) => `Iniciado em: ${browser}`,
    warning:
      'Se você não iniciou um login, ignore a mensagem e não dê o código a ninguém: quem tiver o código pode entrar como você.',
  },
  message: {
    subject: (app) => `Entrar em ${app}`,
    lead: (app) => `Seu código para entrar em ${app}:`,
    link: 'Ou abra este link no navegador em que você começou:',
    button: 'Entrar',
    validity: (duration) => `O código e o link funcionam uma vez, por ${duration}.`,
    onlyAt: (host) =>
      `Digite o código apenas em ${host}. Não o dê a ninguém, nem a quem disser que trabalha conosco.`,
    requestedFrom: (origin) => `Pedido de: ${origin}`,
    ignore: 'Se você não pediu isto, ignore esta mensagem. Ninguém pode entrar sem ela.',
  },
}
