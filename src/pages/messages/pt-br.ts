import type { Messages } from './en.ts'

export const ptBr: Messages = {
  language: 'pt-BR',
  languageName: 'Português (Brasil)',
  signIn: {
    title: 'Entrar',
    titleFor: (app) => `Entrar em ${app}`,
    lead: 'Escolha como você quer entrar.',
    signInWith: (provider) => `Entrar com ${provider}`,
    privacyNote: (provider) =>
      provider
        ? `Sua senha fica em ${provider}, que só compartilha o que você permitir.`
        : 'Suas senhas ficam nesses serviços, que só compartilham o que você permitir.',
    inAppBrowserWarning: 'Você abriu esta página dentro de outro app, onde o login costuma falhar.',
    openInBrowser: 'Abrir no seu navegador',
    signInWithQrCode: (provider) => `Escanear um código QR com o app ${provider}`,
    or: 'ou',
    newUserNote: 'É sua primeira vez aqui? Sua conta é criada quando você entra.',
    lastUsed: 'Usado da última vez',
    sessionEnded:
      'Sua sessão neste navegador foi encerrada: talvez você tenha saído por outro navegador ou passado muito tempo sem usar este.',
  },
  qr: {
    lead: (provider) => `Escaneie este código com o app ${provider} no seu celular.`,
    scanned: 'Agora confirme o login no seu celular.',
    expired: 'Este código expirou.',
    newCode: 'Mostrar um novo código',
    warning:
      'Escaneie somente um código que você pediu: o dispositivo que o mostra entrará na sua conta.',
  },
  signedIn: {
    title: 'Você está conectado',
    as: (name) => `Você está conectado como ${name}.`,
    unnamedUser: 'usuário sem nome',
    continue: 'Continuar',
    continueAs: (name) => `Continuar como ${name}`,
    continueTo: (app) => `Continuar para ${app}`,
    useAnotherAccount: 'Ou use outra conta:',
  },
  stepUp: {
    signInTitle: 'Confirme que é você',
    signInLead: (change) =>
      change
        ? `Para proteger sua conta, “${change}” exige um novo login, mesmo que você tenha acabado de entrar.`
        : 'Para proteger sua conta, entre de novo antes de continuar.',
    confirmedLater: 'Nada muda até você confirmar na próxima página.',
    permissionTitle: (app) => `${app} precisa de mais acesso`,
    permissionLead: 'Entre de novo e permita o seguinte na página que se abrir:',
    permissionLeadWith: (provider) =>
      `Entre de novo com ${provider} e permita o seguinte na página que se abrir:`,
  },
  signOut: {
    title: 'Sair da conta?',
    lead: 'Você precisará entrar de novo em todos os apps que usam este acesso.',
    confirm: 'Sair',
    staySignedIn: 'Continuar conectado',
  },
  signedOut: {
    title: 'Você saiu da conta',
    lead: (provider) => `Sua sessão em ${provider} talvez continue aberta.`,
  },
  consent: {
    title: (app) => `Permitir que ${app} use sua conta?`,
    permissionsHeading: 'O app poderá:',
    scopes: {
      openid: 'reconhecer você quando voltar',
      profile: 'ver seu nome, seu nome de usuário, sua foto e o link do seu perfil',
      email: 'ver seu e-mail',
      platform:
        'ver o que o serviço que você usa para entrar compartilha sobre você, como o seu número de seguidores',
      offline_access: 'manter esse acesso mesmo quando você não estiver usando o app',
      'user.info.profile': 'ver seu nome de usuário, sua bio e o link do seu perfil',
      'user.info.stats': 'ver quantos seguidores, curtidas e vídeos você tem',
      'video.list': 'ver seus vídeos públicos',
    },
    noEmail: 'nenhum por enquanto; vale também para um e-mail adicionado depois',
    useApi: (api) => `usar ${api}`,
    alwaysIncluded: 'Sempre incluído',
    optional: 'Desmarque o que você não quer permitir. Talvez o app ofereça menos recursos.',
    returnsTo: (host) => `Depois você voltará para ${host}.`,
    lasts: (duration) =>
      `O app mantém esse acesso por no máximo ${duration} depois que você entrou nele pela última vez.`,
    revocable: 'Você pode removê-lo quando quiser na página da sua conta.',
    approve: 'Permitir',
    deny: 'Não permitir',
  },
  continuing: {
    title: 'Continue para concluir o login',
    lead: 'Se nada acontecer, pressione o botão.',
  },
  account: {
    title: 'Sua conta',
    done: {
      linked: (provider) => `Agora você pode entrar com ${provider}.`,
      alreadyLinked: (provider) =>
        `Esta conta ${provider} já estava vinculada. Para vincular outra, primeiro troque de conta em ${provider}.`,
      passkeyAdded: 'A chave de acesso foi adicionada.',
      passkeyRenamed: 'A chave de acesso foi renomeada.',
      sessionEnded: (device) => `A sessão foi encerrada (${device}).`,
      otherSessionsEnded: 'Todas as outras sessões foram encerradas.',
      consentWithdrawn: (app) =>
        `${app} não pode mais usar sua conta, mas mantém os dados que já tem.`,
      confirmed: (change) =>
        change
          ? `Tudo certo. Agora você tem dez minutos para “${change}”.`
          : 'Tudo certo. Agora repita o que você queria fazer. Você tem dez minutos.',
    },
    created: 'Sua nova conta foi criada quando você entrou.',
    accountsHeading: 'Formas de entrar',
    noAccounts: 'Nenhuma conta vinculada.',
    addedOn: (date) => `adicionada em ${date}`,
    disconnect: (provider) => `Desvincular ${provider}`,
    onlyMethod: 'Sua única forma de entrar. Para removê-la, adicione outra antes.',
    removal: {
      title: (provider) => `Desvincular ${provider}?`,
      effect: (provider) =>
        `Você não poderá mais entrar aqui com esta conta ${provider}. Sua conta em ${provider} não será excluída.`,
      sessions: (methods) =>
        `Para proteger sua conta, todas as suas sessões serão encerradas, inclusive esta. Depois, entre com ${methods}.`,
      doneTitle: (provider) => `A conta ${provider} foi desvinculada`,
      signedOut: 'Todas as suas sessões foram encerradas.',
      signInAgain: (methods) => `Entre de novo com ${methods}.`,
      unknownTitle: 'Esta forma de entrar não está na sua conta',
    },
    addMethod: 'Adicionar uma forma de entrar',
    link: (provider) => `Vincular ${provider}`,
    linkAnother: (provider) => `Vincular outra conta ${provider}`,
    sessionsHeading: 'Onde você está conectado',
    unknownBrowser: 'Um navegador',
    thisBrowser: 'este navegador',
    signedInOn: (date, provider) =>
      provider ? `login com ${provider} em ${date}` : `login em ${date}`,
    lastUsedOn: (date) => `último uso em ${date}`,
    usedFor: (apps) => `login em ${apps}`,
    endOtherSessions: 'Encerrar todas as outras sessões',
    consentsHeading: 'Apps a que você deu acesso',
    noConsents: 'Nenhum app de outras empresas no momento.',
    withdrawConsent: 'Remover acesso',
    withdrawal: {
      title: (app) => `Remover o acesso de ${app}?`,
      effect: (app) => `${app} não poderá mais usar sua conta, mas manterá os dados que já tem.`,
      later: 'Se você entrar nesse app de novo, ele pedirá acesso outra vez.',
    },
    dataHeading: 'Seus dados',
    dataNote:
      'Você pode baixar um arquivo (JSON) com seu perfil, suas formas de entrar, suas sessões, as permissões de apps e os registros de segurança.',
    downloadData: 'Baixar meus dados',
    deleteAccount: 'Excluir minha conta',
    deleteLead: 'Isso não pode ser desfeito. Se você excluir sua conta:',
    deleteEffects: {
      data: 'Seu perfil e todas as suas formas de entrar são excluídos deste serviço.',
      accounts: (services) => `Suas contas em outros serviços (${services}) não são excluídas.`,
      sessions: 'Todas as suas sessões são encerradas e nenhum app pode mais usar sua conta.',
      apps: 'Os apps mantêm os dados que já têm. Peça a eles que os excluam.',
      records: (duration) =>
        `Os registros de segurança desta conta, como as datas de login, são mantidos por ${duration}, sem o seu nome.`,
      later: 'Se você entrar de novo mais tarde, terá uma conta nova e vazia.',
    },
    deletePermanently: 'Excluir definitivamente',
    deletedTitle: 'Sua conta foi excluída',
    deletedConnections: (providers) =>
      `Este serviço ainda pode aparecer entre os seus apps conectados em ${providers}. Você também pode removê-lo por lá.`,
  },
  actions: {
    cancel: 'Cancelar',
    tryAgain: 'Tentar de novo',
    goBack: 'Voltar',
    goBackTo: (app) => `Voltar para ${app}`,
    goToSignIn: 'Ir para a página de login',
    keepCurrentAccount: 'Manter a conta atual',
    switchAccount: 'Entrar com a outra conta',
    useDifferentAccount: 'Usar outra conta',
    chooseProvider: 'Escolher outra forma de entrar',
    goToAccount: 'Ir para minha conta',
    checkAgain: 'Verificar de novo',
    showMore: (count) => `Mostrar mais ${count}`,
  },
  footer: {
    privacyPolicy: (app) => `Política de privacidade de ${app}`,
    terms: (app) => `Termos de serviço de ${app}`,
    language: 'Idioma',
  },
  errorPage: {
    code: 'Código do erro',
    parameter: 'Parâmetro',
    reference: 'Referência',
    otherAccount: (account) => `A outra conta: ${account}`,
    contact: 'Falar com o suporte',
  },
  errors: {
    access_denied: {
      title: 'O login não foi feito',
      text: (provider = 'o serviço que você usa para entrar') =>
        `O login foi cancelado. Nada mudou e você pode tentar de novo quando quiser. Se você não o cancelou, talvez ${provider} não permita que esta conta entre em outros apps.`,
    },
    account_taken: {
      title: 'Já vinculada a outra conta',
      text: 'Esta forma de entrar já pertence a outra conta deste serviço. Você pode continuar usando as duas contas, ou entrar desta forma, desvinculá-la lá e depois vinculá-la aqui.',
    },
    already_signed_in: {
      title: 'Você já está conectado',
      text: 'Neste navegador, você está conectado com outra conta. Escolha qual das duas quer usar.',
    },
    attempt_missing: {
      title: 'Não é possível concluir este login',
      text: 'Ele demorou demais, já tinha sido concluído ou começou em outro navegador. Comece de novo.',
    },
    client_unknown: {
      title: 'Este app não está registrado',
      text: 'O app que enviou você para cá não está registrado neste serviço. Avise os responsáveis pelo app: só eles podem corrigir isso.',
    },
    code_expired: {
      title: 'A confirmação expirou',
      text: (provider = 'O serviço que você usa para entrar') =>
        `${provider} confirmou seu login, mas a confirmação expirou ou foi usada antes que pudéssemos verificá-la. Entre de novo.`,
    },
    configuration: {
      title: 'Este serviço não está configurado corretamente',
      text: 'Não é culpa sua. Ninguém consegue entrar até que o operador deste serviço corrija as configurações. Envie a ele a referência abaixo.',
    },
    credentials_rejected: {
      title: 'Dados incorretos',
      text: 'O código ou os dados que você informou para entrar não estavam corretos. Verifique-os e tente de novo.',
    },
    cross_site: {
      title: 'Esta solicitação veio de outro site',
      text: 'Para proteger sua conta, ela não foi executada. Se você queria fazer isso, abra a página de login ou a página da sua conta e faça por lá.',
    },
    id_token_hint_refused: {
      title: 'O app não conseguiu encerrar sua sessão',
      text: 'A solicitação dele para encerrar sua sessão não era válida, então não a executamos. Talvez você ainda esteja conectado: saia aqui. Os responsáveis pelo app podem corrigir isso.',
    },
    internal: {
      title: 'Algo deu errado do nosso lado',
      text: 'Não é culpa sua. Tente de novo. Se acontecer outra vez, envie a referência abaixo ao operador deste serviço.',
    },
    method_not_allowed: {
      title: 'Esta página não pode ser aberta assim',
      text: 'O endereço pertence a um formulário ou a um app e não aceita este tipo de solicitação. Comece de novo na página de login ou na página da sua conta. Se um app enviou você para cá, avise os responsáveis por ele.',
    },
    not_allowed: {
      title: 'Você não pode entrar com esta conta',
      text: 'O operador deste serviço não permite esta conta. Use outra conta ou fale com o operador e informe o código e a referência abaixo.',
    },
    not_eligible: {
      title: 'Esta conta ainda não pode entrar aqui',
      text: (provider = 'o serviço que você usa para entrar') =>
        `Por enquanto, ${provider} só permite que algumas contas de teste entrem aqui. Use outra conta ou peça ao operador deste serviço que adicione a sua.`,
    },
    not_found: {
      title: 'Página não encontrada',
      text: 'Não há nenhuma página neste endereço. Confira se ele está escrito corretamente ou continue na página de login ou na página da sua conta.',
    },
    passkey_rejected: {
      title: 'Esta chave de acesso não foi aceita',
      text: 'Não foi possível verificá-la. Nada mudou. Tente outra chave de acesso ou entre de outra forma e confira as chaves de acesso na página da sua conta.',
    },
    passkey_unknown: {
      title: 'Esta chave de acesso não está registrada aqui',
      text: 'Ela pode ter sido removida ou a conta dela pode ter sido excluída. Entre de outra forma. Se o seu dispositivo ainda oferecer esta chave de acesso, exclua-a das senhas salvas nele.',
    },
    post_logout_redirect_uri_refused: {
      title: 'A saída da conta foi interrompida',
      text: 'O app queria enviar você para um endereço que não registrou. Talvez você ainda esteja conectado: saia aqui. Os responsáveis pelo app podem corrigir isso.',
    },
    provider_invalid: {
      title: (provider = 'O serviço que você usa para entrar') =>
        `${provider} enviou uma resposta inválida`,
      text: 'Não conseguimos confirmar quem você é, por isso o login não foi feito. Tente de novo. Se acontecer outra vez, envie a referência abaixo ao operador deste serviço.',
    },
    provider_misconfigured: {
      title: 'Esta opção de login não funciona',
      text: 'Não é culpa sua, e tentar de novo não vai ajudar: só o operador deste serviço pode corrigir isso. Envie a ele a referência abaixo. Se você também pode entrar de outra forma, escolha essa opção.',
    },
    provider_refused: {
      title: (provider = 'O serviço que você usa para entrar') =>
        `${provider} não aceitou nossa solicitação`,
      text: 'Não é culpa sua, e só o operador deste serviço pode corrigir isso. Envie a ele a referência abaixo.',
    },
    provider_unavailable: {
      title: (provider = 'O serviço que você usa para entrar') =>
        `${provider} não está respondendo`,
      text: (provider = 'O serviço que você usa para entrar') =>
        `${provider} está com sobrecarga ou um problema temporário, por isso o login não foi feito. Tente de novo em um minuto.`,
    },
    provider_unknown: {
      title: 'Esta opção de login não existe',
      text: 'A opção de login indicada neste endereço não está disponível aqui. Vá para a página de login para ver as opções disponíveis.',
    },
    redirect_uri_refused: {
      title: 'Este app não pode receber seu login',
      text: 'Ele queria receber o resultado em um endereço que não registrou. Avise os responsáveis pelo app: só eles podem corrigir isso.',
    },
    request_invalid: {
      title: 'Esta solicitação não é válida',
      text: 'Uma parte dela está faltando, repetida ou em formato incorreto. Volte para o app e comece de novo. Se acontecer outra vez, avise os responsáveis pelo app.',
    },
    request_too_large: {
      title: 'Esta solicitação é grande demais',
      text: 'O endereço, o formulário ou os cookies que seu navegador enviou são longos demais. Exclua os cookies deste site, volte para o app e comece de novo.',
    },
    return_url_refused: {
      title: 'Este link leva a um site desconhecido',
      text: 'Depois do login, ele levaria você a um endereço que não está registrado neste serviço, por isso paramos aqui. Se você recebeu este link de um app, avise os responsáveis por ele.',
    },
    scope_missing: {
      title: 'Falta uma permissão necessária',
      text: (provider = 'outro serviço') =>
        `Ao entrar com ${provider}, você desativou uma permissão que é necessária aqui. Entre de novo e deixe-a ativada.`,
    },
    sign_in_again: {
      title: 'Primeiro, entre de novo',
      text: 'Para proteger sua conta, isso exige um novo login. Entre de novo e repita em até dez minutos o que você queria fazer.',
    },
    too_many_guesses: {
      title: 'Muitas tentativas incorretas',
      text: 'Você informou dados incorretos muitas vezes, por isso este login foi interrompido para proteger a conta. Comece de novo. Se isso também for recusado, aguarde 15 minutos.',
    },
    too_many_requests: {
      title: 'Solicitações demais',
      text: 'Recebemos solicitações demais de você ou da sua rede em pouco tempo. Espere um minuto e tente de novo.',
    },
    unavailable: {
      title: 'Indisponível no momento',
      text: 'Este serviço está com um problema temporário e não conseguiu concluir sua solicitação. Se você estava alterando algo, a alteração pode estar incompleta. Tente de novo em um minuto.',
    },
    user_blocked: {
      title: 'Sua conta está bloqueada',
      text: 'O operador deste serviço bloqueou sua conta, por isso você não pode entrar com ela. Se você acha que isso é um engano, fale com ele e informe a referência abaixo.',
    },
  },
}
