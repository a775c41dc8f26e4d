import type { Messages } from './en.ts'

export const zhHans: Messages = {
  language: 'zh-Hans',
  languageName: '简体中文',
  signIn: {
    title: '登录',
    titleFor: (app) => `登录 ${app}`,
    lead: '请选择登录方式。',
    signInWith: (provider) => `使用 ${provider} 登录`,
    privacyNote: (provider) =>
      provider
        ? `你的密码只保存在 ${provider}，它只会共享你允许的信息。`
        : '你的密码只保存在这些服务中，它们只会共享你允许的信息。',
    inAppBrowserWarning: '你在其他应用内打开了此页面，这样登录经常会失败。',
    openInBrowser: '在浏览器中打开',
    signInWithQrCode: (provider) => `使用 ${provider} 应用扫描二维码`,
    or: '或',
    newUserNote: '首次使用？登录后会自动创建账号。',
    lastUsed: '上次使用',
    sessionEnded:
      '此浏览器已退出登录：你可能通过其他浏览器退出了这里的登录，或长时间未使用此浏览器。',
  },
  qr: {
    lead: (provider) => `请使用手机上的 ${provider} 应用扫描此二维码。`,
    scanned: '请在手机上确认登录。',
    expired: '此二维码已过期。',
    newCode: '显示新的二维码',
    warning: '请只扫描你自己请求的二维码：扫描后，显示该二维码的设备将登录你的账号。',
  },
  signedIn: {
    title: '你已登录',
    as: (name) => `你已以 ${name} 的身份登录。`,
    unnamedUser: '未命名用户',
    continue: '继续',
    continueAs: (name) => `以 ${name} 的身份继续`,
    continueTo: (app) => `继续前往 ${app}`,
    useAnotherAccount: '或使用其他账号：',
  },
  stepUp: {
    signInTitle: '请确认是你本人',
    signInLead: (change) =>
      change
        ? `为保护你的账号，即使刚刚登录过，也需要重新登录才能继续“${change}”。`
        : '为保护你的账号，请先重新登录，然后继续。',
    confirmedLater: '在下一页确认之前，不会有任何更改。',
    permissionTitle: (app) => `${app} 需要更多权限`,
    permissionLead: '请重新登录，并在打开的页面中允许以下内容：',
    permissionLeadWith: (provider) => `请使用 ${provider} 重新登录，并在打开的页面中允许以下内容：`,
  },
  signOut: {
    title: '要退出登录吗？',
    lead: '你需要在所有使用此登录服务的应用中重新登录。',
    confirm: '退出登录',
    staySignedIn: '保持登录',
  },
  signedOut: {
    title: '你已退出登录',
    lead: (provider) => `你在 ${provider} 上可能仍处于登录状态。`,
  },
  consent: {
    title: (app) => `允许 ${app} 使用你的账号吗？`,
    permissionsHeading: '该应用将可以：',
    scopes: {
      openid: '在你再次使用时识别你的身份',
      profile: '查看你的名字、用户名、头像和个人主页链接',
      email: '查看你的电子邮件地址',
      platform: '查看你用来登录的服务共享的与你有关的信息，例如粉丝数',
      offline_access: '在你未使用该应用时也保留此权限',
      'user.info.profile': '查看你的用户名、个人简介和个人主页链接',
      'user.info.stats': '查看你的粉丝数、获赞数和视频数',
      'video.list': '查看你的公开视频',
    },
    noEmail: '暂无；也适用于你以后添加的地址',
    useApi: (api) => `使用 ${api}`,
    alwaysIncluded: '始终包含',
    optional: '取消勾选你不想允许的内容。应用提供的功能可能会因此减少。',
    returnsTo: (host) => `之后你将返回 ${host}。`,
    lasts: (duration) => `自你上次登录该应用起，该应用最多可保留此权限 ${duration}。`,
    revocable: '你可以随时在账号页面将其撤销。',
    approve: '允许',
    deny: '不允许',
  },
  continuing: {
    title: '继续以完成登录',
    lead: '如果没有自动跳转，请点击按钮。',
  },
  account: {
    title: '你的账号',
    done: {
      linked: (provider) => `现在可以使用 ${provider} 登录。`,
      alreadyLinked: (provider) =>
        `此 ${provider} 账号此前已关联。要关联其他账号，请先在 ${provider} 切换账号。`,
      passkeyAdded: '已添加通行密钥。',
      passkeyRenamed: '已重命名通行密钥。',
      sessionEnded: (device) => `该设备（${device}）已退出登录。`,
      otherSessionsEnded: '已退出其他所有设备。',
      consentWithdrawn: (app) => `${app} 已无法使用你的账号，但会保留已获得的数据。`,
      confirmed: (change) =>
        change
          ? `已确认是你本人。接下来十分钟内可以进行“${change}”。`
          : '已确认是你本人。请在十分钟内再次进行刚才的操作。',
    },
    created: '登录时已为你创建新账号。',
    accountsHeading: '登录方式',
    noAccounts: '尚未关联任何账号。',
    addedOn: (date) => `添加于 ${date}`,
    disconnect: (provider) => `取消关联 ${provider}`,
    onlyMethod: '你唯一的登录方式。要移除它，请先添加其他方式。',
    removal: {
      title: (provider) => `取消关联 ${provider}？`,
      effect: (provider) =>
        `你将无法再用此 ${provider} 账号在这里登录。你在 ${provider} 的账号不会被删除。`,
      sessions: (methods) =>
        `为保护你的账号，包括此设备在内的所有设备都会退出登录。之后请重新登录，可用方式：${methods}。`,
      doneTitle: (provider) => `已取消关联 ${provider}`,
      signedOut: '所有设备都已退出登录。',
      signInAgain: (methods) => `请重新登录，可用方式：${methods}。`,
      unknownTitle: '你的账号中没有此登录方式',
    },
    addMethod: '添加登录方式',
    link: (provider) => `关联 ${provider}`,
    linkAnother: (provider) => `关联另一个 ${provider} 账号`,
    sessionsHeading: '已登录的设备',
    unknownBrowser: '未知浏览器',
    thisBrowser: '当前浏览器',
    signedInOn: (date, provider) =>
      provider ? `登录时间：${date}（${provider}）` : `登录时间：${date}`,
    lastUsedOn: (date) => `上次使用：${date}`,
    usedFor: (apps) => `已登录：${apps}`,
    endOtherSessions: '退出其他所有设备',
    consentsHeading: '你已授权的应用',
    noConsents: '目前没有其他公司的应用。',
    withdrawConsent: '撤销权限',
    withdrawal: {
      title: (app) => `撤销 ${app} 的权限？`,
      effect: (app) => `${app} 将无法再使用你的账号，但会保留已获得的数据。`,
      later: '如果你再次登录此应用，它会重新请求权限。',
    },
    dataHeading: '你的数据',
    dataNote:
      '你可以下载一个文件（JSON），其中包含你的个人资料、登录方式、会话、应用权限和安全记录。',
    downloadData: '下载数据',
    deleteAccount: '删除账号',
    deleteLead: '此操作无法撤销。如果删除账号：',
    deleteEffects: {
      data: '你的个人资料和所有登录方式都将从此服务中删除。',
      accounts: (services) => `你在其他服务（${services}）的账号不会被删除。`,
      sessions: '所有设备都会退出登录，任何应用都无法再使用你的账号。',
      apps: '应用会保留其已获得的数据。请联系应用删除这些数据。',
      records: (duration) => `此账号的安全记录（例如登录时间）将保留${duration}，但不含你的名字。`,
      later: '如果以后再次登录，你将获得一个全新的空账号。',
    },
    deletePermanently: '永久删除',
    deletedTitle: '你的账号已删除',
    deletedConnections: (providers) =>
      `${providers} 的已连接应用列表中可能仍会显示此服务。你也可以在那里将其移除。`,
  },
  actions: {
    cancel: '取消',
    tryAgain: '重试',
    goBack: '返回原来的页面',
    goBackTo: (app) => `返回 ${app}`,
    goToSignIn: '前往登录页面',
    keepCurrentAccount: '继续使用当前账号',
    switchAccount: '使用另一个账号登录',
    useDifferentAccount: '使用其他账号',
    chooseProvider: '选择其他登录方式',
    goToAccount: '前往你的账号',
    checkAgain: '再次检查',
    showMore: (count) => `再显示 ${count} 个`,
  },
  footer: {
    privacyPolicy: (app) => `${app} 的隐私政策`,
    terms: (app) => `${app} 的服务条款`,
    language: '语言',
  },
  errorPage: {
    code: '错误代码',
    parameter: '参数',
    reference: '参考编号',
    otherAccount: (account) => `另一个账号：${account}`,
    contact: '联系支持人员',
  },
  errors: {
    access_denied: {
      title: '未完成登录',
      text: (provider) =>
        provider
          ? `登录已取消。没有任何更改，你可以随时重试。如果不是你取消的，可能是 ${provider} 不允许此账号登录其他应用。`
          : '登录已取消。没有任何更改，你可以随时重试。如果不是你取消的，可能是你用来登录的服务不允许此账号登录其他应用。',
    },
    account_taken: {
      title: '已关联到另一个账号',
      text: '此登录方式已属于此服务的另一个账号。你可以继续使用两个账号，也可以用此方式登录，在那里取消关联，然后在这里关联。',
    },
    already_signed_in: {
      title: '你已经登录',
      text: '此浏览器已使用另一个账号登录。请选择要使用哪一个账号。',
    },
    attempt_missing: {
      title: '无法完成此次登录',
      text: '登录耗时过长、已经完成，或是在另一个浏览器中开始的。请重新开始。',
    },
    client_unknown: {
      title: '此应用未注册',
      text: '将你转到这里的应用未在此服务中注册。请告知该应用的运营方：只有他们才能解决此问题。',
    },
    code_expired: {
      title: '确认已过期',
      text: (provider) =>
        provider
          ? `${provider} 已确认你的登录，但在我们验证之前，该确认已过期或已被使用。请重新登录。`
          : '你用来登录的服务已确认你的登录，但在我们验证之前，该确认已过期或已被使用。请重新登录。',
    },
    configuration: {
      title: '此服务的配置不正确',
      text: '这不是你的问题。在此服务的运营方更正设置之前，任何人都无法登录。请将下方的参考编号发送给运营方。',
    },
    credentials_rejected: {
      title: '输入内容不正确',
      text: '你输入的验证码或登录信息不正确。请检查后重试。',
    },
    cross_site: {
      title: '此请求来自其他网站',
      text: '为保护你的账号，此请求未被执行。如果这是你想要的操作，请打开登录页面或账号页面进行操作。',
    },
    id_token_hint_refused: {
      title: '应用未能让你退出登录',
      text: '该应用让你退出登录的请求无效，因此我们没有执行。你可能仍处于登录状态：请在这里退出登录。该应用的运营方可以解决此问题。',
    },
    internal: {
      title: '服务出现问题',
      text: '这不是你的问题。请重试。如果再次出现，请将下方的参考编号发送给此服务的运营方。',
    },
    method_not_allowed: {
      title: '不能以这种方式打开此页面',
      text: '此网址供表单或应用使用，不接受这种类型的请求。请从登录页面或账号页面重新开始。如果是某个应用将你转到这里的，请告知该应用的运营方。',
    },
    not_allowed: {
      title: '你无法使用此账号登录',
      text: '此服务的运营方不允许使用此账号。请使用其他账号，或联系运营方并提供下方的代码和参考编号。',
    },
    not_eligible: {
      title: '此账号暂时无法在这里登录',
      text: (provider) =>
        provider
          ? `目前，${provider} 只允许部分测试账号在这里登录。请使用其他账号，或请此服务的运营方添加你的账号。`
          : '目前，你用来登录的服务只允许部分测试账号在这里登录。请使用其他账号，或请此服务的运营方添加你的账号。',
    },
    not_found: {
      title: '找不到页面',
      text: '此网址没有对应的页面。请检查网址是否正确，或前往登录页面或账号页面。',
    },
    passkey_rejected: {
      title: '此通行密钥未被接受',
      text: '无法验证它。没有任何更改。请尝试其他通行密钥，或以其他方式登录后在账号页面检查通行密钥。',
    },
    passkey_unknown: {
      title: '此通行密钥未在这里注册',
      text: '它可能已被移除，或其账号已被删除。请以其他方式登录。如果你的设备仍显示此通行密钥，请从设备上保存的密码中将其删除。',
    },
    post_logout_redirect_uri_refused: {
      title: '退出登录已中止',
      text: '该应用想将你转到其未注册的网址。你可能仍处于登录状态：请在这里退出登录。该应用的运营方可以解决此问题。',
    },
    provider_invalid: {
      title: (provider) =>
        provider ? `${provider} 返回了无效的响应` : '你用来登录的服务返回了无效的响应',
      text: '我们无法验证你的身份，因此未能登录。请重试。如果再次出现，请将下方的参考编号发送给此服务的运营方。',
    },
    provider_misconfigured: {
      title: '此登录方式无法使用',
      text: '这不是你的问题，重试也无济于事：只有此服务的运营方才能解决。请将下方的参考编号发送给运营方。如果你还可以用其他方式登录，请选择该方式。',
    },
    provider_refused: {
      title: (provider) =>
        provider ? `${provider} 未接受我们的请求` : '你用来登录的服务未接受我们的请求',
      text: '这不是你的问题，只有此服务的运营方才能解决。请将下方的参考编号发送给运营方。',
    },
    provider_unavailable: {
      title: (provider) => (provider ? `${provider} 没有响应` : '你用来登录的服务没有响应'),
      text: (provider) =>
        provider
          ? `${provider} 过于繁忙或出现暂时性问题，因此未能登录。请在一分钟后重试。`
          : '你用来登录的服务过于繁忙或出现暂时性问题，因此未能登录。请在一分钟后重试。',
    },
    provider_unknown: {
      title: '此登录方式不存在',
      text: '此网址中指定的登录方式在这里不可用。请前往登录页面查看可用的登录方式。',
    },
    redirect_uri_refused: {
      title: '此应用无法接收你的登录结果',
      text: '该应用想在其未注册的网址接收结果。请告知该应用的运营方：只有他们才能解决此问题。',
    },
    request_invalid: {
      title: '此请求无效',
      text: '请求的一部分缺失、重复或格式不正确。请返回应用重新开始。如果再次出现，请告知该应用的运营方。',
    },
    request_too_large: {
      title: '此请求过大',
      text: '浏览器发送的网址、表单或 Cookie 过长。请删除此网站的 Cookie，然后返回应用重新开始。',
    },
    return_url_refused: {
      title: '此链接指向未知网站',
      text: '登录后，此链接会将你转到未在此服务中注册的网址，因此我们在这里中止了操作。如果这个链接来自某个应用，请告知该应用的运营方。',
    },
    scope_missing: {
      title: '缺少必要的权限',
      text: (provider) =>
        provider
          ? `你在使用 ${provider} 登录时关闭了这里需要的一项权限。请重新登录，并保持该权限开启。`
          : '你在使用其他服务登录时关闭了这里需要的一项权限。请重新登录，并保持该权限开启。',
    },
    sign_in_again: {
      title: '请先重新登录',
      text: '为保护你的账号，此操作需要重新登录。请重新登录，然后在十分钟内再次进行操作。',
    },
    too_many_guesses: {
      title: '错误次数过多',
      text: '输入错误的次数过多，为保护账号，此次登录已中止。请重新开始。如果仍被拒绝，请等待 15 分钟。',
    },
    too_many_requests: {
      title: '请求过多',
      text: '你或你的网络在短时间内发送了过多请求。请等待一分钟，然后重试。',
    },
    unavailable: {
      title: '暂时不可用',
      text: '此服务出现暂时性问题，未能完成你的请求。如果你当时正在进行更改，更改可能不完整。请在一分钟后重试。',
    },
    user_blocked: {
      title: '你的账号已被封禁',
      text: '此服务的运营方已封禁你的账号，因此你无法使用它登录。如果你认为这是误封，请联系运营方并提供下方的参考编号。',
    },
  },
}
