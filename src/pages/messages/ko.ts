import type { Messages } from './en.ts'

export const ko: Messages = {
  language: 'ko',
  languageName: '한국어',
  signIn: {
    title: '로그인',
    titleFor: (app) => `${app}에 로그인`,
    lead: '로그인 방법을 선택하세요.',
    signInWith: (provider) => `${provider} 계정으로 로그인`,
    privacyNote: (provider) =>
      provider
        ? `비밀번호는 ${provider}에만 보관됩니다. 사용자가 허용한 정보만 공유됩니다.`
        : '비밀번호는 해당 서비스에만 보관됩니다. 사용자가 허용한 정보만 공유됩니다.',
    inAppBrowserWarning:
      '다른 앱 안에서 이 페이지를 열었습니다. 이 경우 로그인에 실패하는 일이 많습니다.',
    openInBrowser: '브라우저에서 열기',
    signInWithQrCode: (provider) => `${provider} 앱으로 QR 코드 스캔`,
    or: '또는',
    newUserNote: '처음이신가요? 로그인하면 계정이 만들어집니다.',
    lastUsed: '최근 사용',
    sessionEnded:
      '이 브라우저에서 로그아웃되었습니다. 다른 브라우저에서 이 브라우저의 세션을 종료했거나 이 브라우저를 오랫동안 사용하지 않았을 수 있습니다.',
  },
  qr: {
    lead: (provider) => `휴대전화의 ${provider} 앱으로 이 코드를 스캔하세요.`,
    scanned: '이제 휴대전화에서 로그인을 승인하세요.',
    expired: '코드가 만료되었습니다.',
    newCode: '새 코드 표시',
    warning: '직접 요청한 코드만 스캔하세요. 스캔하면 코드를 표시한 기기가 내 계정에 로그인됩니다.',
  },
  signedIn: {
    title: '로그인되어 있습니다',
    as: (name) => `${name}님으로 로그인되어 있습니다.`,
    unnamedUser: '이름 없는 사용자',
    continue: '계속',
    continueAs: (name) => `${name}님으로 계속`,
    continueTo: (app) => `${app}에서 계속`,
    useAnotherAccount: '또는 다른 계정을 사용하세요.',
  },
  stepUp: {
    signInTitle: '다시 로그인하세요',
    signInLead: (change) =>
      change
        ? `계정을 보호하기 위해, “${change}” 작업을 하려면 방금 로그인했더라도 다시 로그인해야 합니다.`
        : '계정을 보호하기 위해, 계속하려면 다시 로그인해야 합니다.',
    confirmedLater: '다음 페이지에서 확인하기 전에는 아무것도 변경되지 않습니다.',
    permissionTitle: (app) => `${app}에 추가 권한이 필요합니다`,
    permissionLead: '다시 로그인하고, 열리는 페이지에서 다음 항목을 허용하세요.',
    permissionLeadWith: (provider) =>
      `${provider} 계정으로 다시 로그인하고, 열리는 페이지에서 다음 항목을 허용하세요.`,
  },
  signOut: {
    title: '로그아웃할까요?',
    lead: '이 로그인을 사용하는 모든 앱에서 다시 로그인해야 합니다.',
    confirm: '로그아웃',
    staySignedIn: '로그인 상태 유지',
  },
  signedOut: {
    title: '로그아웃되었습니다',
    lead: (provider) => `${provider}에는 아직 로그인되어 있을 수 있습니다.`,
  },
  consent: {
    title: (app) => `${app}에서 내 계정을 사용하도록 허용할까요?`,
    permissionsHeading: '이 앱이 할 수 있는 작업',
    scopes: {
      openid: '다시 이용할 때 사용자 식별',
      profile: '이름, 사용자 이름, 사진, 프로필 링크 보기',
      email: '이메일 주소 보기',
      platform: '팔로워 수 등 로그인에 사용하는 서비스가 공유하는 정보 보기',
      offline_access: '앱을 사용하지 않을 때에도 이 액세스 권한 유지',
      'user.info.profile': '사용자 이름, 소개, 프로필 링크 보기',
      'user.info.stats': '팔로워, 좋아요, 동영상 수 보기',
      'video.list': '공개 동영상 보기',
    },
    noEmail: '아직 없음. 나중에 추가하는 주소도 포함',
    useApi: (api) => `${api} 사용`,
    alwaysIncluded: '항상 포함됨',
    optional:
      '허용하지 않을 항목은 선택을 해제하세요. 앱에서 일부 기능이 제공되지 않을 수 있습니다.',
    returnsTo: (host) => `이후 ${host} 사이트로 돌아갑니다.`,
    lasts: (duration) =>
      `앱은 해당 앱에 마지막으로 로그인한 후 최대 ${duration} 동안 이 액세스 권한을 유지합니다.`,
    revocable: '계정 페이지에서 언제든지 삭제할 수 있습니다.',
    approve: '허용',
    deny: '허용 안 함',
  },
  continuing: {
    title: '계속하여 로그인을 완료하세요',
    lead: '자동으로 이동하지 않으면 버튼을 누르세요.',
  },
  account: {
    title: '내 계정',
    done: {
      linked: (provider) => `이제 ${provider} 계정으로 로그인할 수 있습니다.`,
      alreadyLinked: (provider) =>
        `이 ${provider} 계정은 이미 연결되어 있습니다. 다른 계정을 연결하려면 먼저 ${provider}에서 계정을 전환하세요.`,
      passkeyAdded: '패스키가 추가되었습니다.',
      passkeyRenamed: '패스키 이름이 변경되었습니다.',
      sessionEnded: (device) => `해당 기기(${device})에서 로그아웃되었습니다.`,
      otherSessionsEnded: '다른 모든 기기에서 로그아웃되었습니다.',
      consentWithdrawn: (app) =>
        `${app} 앱이 더 이상 내 계정을 사용할 수 없습니다. 이미 받은 데이터는 앱에 남아 있습니다.`,
      confirmed: (change) =>
        change
          ? `로그인이 확인되었습니다. 이제 10분 동안 “${change}” 작업을 할 수 있습니다.`
          : '로그인이 확인되었습니다. 10분 이내에 원하는 작업을 다시 진행하세요.',
    },
    created: '로그인할 때 새 계정이 만들어졌습니다.',
    accountsHeading: '로그인 방법',
    noAccounts: '연결된 계정이 없습니다.',
    addedOn: (date) => `${date}에 추가됨`,
    disconnect: (provider) => `${provider} 연결 해제`,
    onlyMethod: '유일한 로그인 방법입니다. 해제하려면 먼저 다른 방법을 추가하세요.',
    removal: {
      title: (provider) => `${provider} 연결을 해제하시겠습니까?`,
      effect: (provider) =>
        `이 ${provider} 계정으로는 더 이상 여기에 로그인할 수 없습니다. ${provider}에 있는 계정은 삭제되지 않습니다.`,
      sessions: (methods) =>
        `계정을 보호하기 위해 이 기기를 포함한 모든 기기에서 로그아웃됩니다. 이후 다음 방법으로 다시 로그인하세요: ${methods}.`,
      doneTitle: (provider) => `${provider} 연결이 해제되었습니다`,
      signedOut: '모든 기기에서 로그아웃되었습니다.',
      signInAgain: (methods) => `다음 방법으로 다시 로그인하세요: ${methods}.`,
      unknownTitle: '내 계정에 없는 로그인 방법입니다',
    },
    addMethod: '로그인 방법 추가',
    link: (provider) => `${provider} 연결`,
    linkAnother: (provider) => `다른 ${provider} 계정 연결`,
    sessionsHeading: '로그인된 기기',
    unknownBrowser: '알 수 없는 브라우저',
    thisBrowser: '현재 브라우저',
    signedInOn: (date, provider) =>
      provider ? `로그인: ${date} (${provider})` : `로그인: ${date}`,
    lastUsedOn: (date) => `마지막 사용: ${date}`,
    usedFor: (apps) => `로그인한 앱: ${apps}`,
    endOtherSessions: '다른 모든 기기에서 로그아웃',
    consentsHeading: '액세스를 허용한 앱',
    noConsents: '현재 다른 회사의 앱이 없습니다.',
    withdrawConsent: '액세스 권한 삭제',
    withdrawal: {
      title: (app) => `${app} 앱의 액세스 권한을 삭제하시겠습니까?`,
      effect: (app) =>
        `${app} 앱이 더 이상 내 계정을 사용할 수 없게 됩니다. 이미 받은 데이터는 앱에 남습니다.`,
      later: '이 앱에 다시 로그인하면 앱이 액세스 권한을 다시 요청합니다.',
    },
    dataHeading: '내 데이터',
    dataNote:
      '프로필, 로그인 방법, 세션, 앱 권한, 보안 기록이 담긴 파일(JSON)을 다운로드할 수 있습니다.',
    downloadData: '내 데이터 다운로드',
    deleteAccount: '내 계정 삭제',
    deleteLead: '이 작업은 되돌릴 수 없습니다. 계정을 삭제하면 다음과 같이 처리됩니다.',
    deleteEffects: {
      data: '프로필과 모든 로그인 방법이 이 서비스에서 삭제됩니다.',
      accounts: (services) => `다른 서비스(${services})의 계정은 삭제되지 않습니다.`,
      sessions: '모든 기기에서 로그아웃되고 어떤 앱도 이 계정을 사용할 수 없게 됩니다.',
      apps: '앱이 이미 받은 데이터는 앱에 남습니다. 앱에 삭제를 요청하세요.',
      records: (duration) =>
        `이 계정의 보안 기록(로그인 시각 등)은 이름 없이 ${duration} 동안 보관됩니다.`,
      later: '나중에 다시 로그인하면 비어 있는 새 계정이 만들어집니다.',
    },
    deletePermanently: '영구 삭제',
    deletedTitle: '계정이 삭제되었습니다',
    deletedConnections: (providers) =>
      `${providers}의 연결된 앱 목록에 이 서비스가 아직 표시될 수 있습니다. 그곳에서도 삭제할 수 있습니다.`,
  },
  actions: {
    cancel: '취소',
    tryAgain: '다시 시도',
    goBack: '이전 페이지로 돌아가기',
    goBackTo: (app) => `${app} 앱으로 돌아가기`,
    goToSignIn: '로그인 페이지로 이동',
    keepCurrentAccount: '현재 계정 계속 사용',
    switchAccount: '다른 계정으로 로그인',
    useDifferentAccount: '다른 계정 사용',
    chooseProvider: '다른 로그인 방법 선택',
    goToAccount: '내 계정으로 이동',
    checkAgain: '다시 확인',
    showMore: (count) => `${count}개 더 보기`,
  },
  footer: {
    privacyPolicy: (app) => `${app} 개인정보처리방침`,
    terms: (app) => `${app} 서비스 약관`,
    language: '언어',
  },
  errorPage: {
    code: '오류 코드',
    parameter: '매개변수',
    reference: '참조 번호',
    otherAccount: (account) => `다른 계정: ${account}`,
    contact: '지원팀에 문의',
  },
  errors: {
    access_denied: {
      title: '로그인되지 않았습니다',
      text: (provider = '로그인에 사용하는') =>
        `로그인이 취소되었습니다. 변경된 내용은 없으며 언제든지 다시 시도할 수 있습니다. 직접 취소하지 않았다면 ${provider} 서비스에서 이 계정으로 다른 앱에 로그인하는 것을 허용하지 않을 수 있습니다.`,
    },
    account_taken: {
      title: '이미 다른 계정에 연결되어 있습니다',
      text: '이 로그인 방법은 이미 이 서비스의 다른 계정에서 사용 중입니다. 두 계정을 계속 함께 사용하거나, 이 방법으로 로그인하여 그곳에서 연결을 해제한 다음 여기에서 연결하세요.',
    },
    already_signed_in: {
      title: '이미 로그인되어 있습니다',
      text: '이 브라우저는 다른 계정으로 로그인되어 있습니다. 두 계정 중 어느 것을 사용할지 선택하세요.',
    },
    attempt_missing: {
      title: '로그인을 완료할 수 없습니다',
      text: '시간이 너무 오래 걸렸거나, 이미 완료되었거나, 다른 브라우저에서 시작한 로그인입니다. 처음부터 다시 시작하세요.',
    },
    client_unknown: {
      title: '등록되지 않은 앱입니다',
      text: '이 페이지를 연 앱이 이 서비스에 등록되어 있지 않습니다. 앱 운영자에게 알려 주세요. 앱 운영자만 해결할 수 있습니다.',
    },
    code_expired: {
      title: '확인이 만료되었습니다',
      text: (provider = '로그인에 사용하는') =>
        `${provider} 서비스에서 로그인을 확인했지만, 검증하기 전에 확인이 만료되었거나 사용되었습니다. 다시 로그인하세요.`,
    },
    configuration: {
      title: '이 서비스가 올바르게 설정되지 않았습니다',
      text: '사용자의 잘못이 아닙니다. 이 서비스의 운영자가 설정을 수정할 때까지 아무도 로그인할 수 없습니다. 아래의 참조 번호를 운영자에게 보내 주세요.',
    },
    credentials_rejected: {
      title: '입력한 내용이 올바르지 않습니다',
      text: '입력한 코드나 로그인 정보가 올바르지 않습니다. 확인한 후 다시 시도해 주세요.',
    },
    cross_site: {
      title: '다른 사이트에서 보낸 요청입니다',
      text: '계정을 보호하기 위해 실행하지 않았습니다. 직접 하려던 작업이라면 로그인 페이지나 계정 페이지를 열어 진행하세요.',
    },
    id_token_hint_refused: {
      title: '앱에서 로그아웃하지 못했습니다',
      text: '앱의 로그아웃 요청이 유효하지 않아 처리하지 않았습니다. 아직 로그인되어 있을 수 있습니다. 여기에서 로그아웃하세요. 이 문제는 앱 운영자가 해결할 수 있습니다.',
    },
    internal: {
      title: '서비스에 문제가 발생했습니다',
      text: '사용자의 잘못이 아닙니다. 다시 시도하세요. 문제가 반복되면 아래의 참조 번호를 이 서비스의 운영자에게 보내 주세요.',
    },
    method_not_allowed: {
      title: '이 페이지는 이렇게 열 수 없습니다',
      text: '양식이나 앱에서 사용하는 주소이며 이런 종류의 요청은 받지 않습니다. 로그인 페이지나 계정 페이지에서 다시 시작하세요. 앱에서 이동해 왔다면 앱 운영자에게 알려 주세요.',
    },
    not_allowed: {
      title: '이 계정으로는 로그인할 수 없습니다',
      text: '이 서비스의 운영자가 이 계정을 허용하지 않습니다. 다른 계정을 사용하거나, 아래의 코드와 참조 번호를 포함하여 운영자에게 문의하세요.',
    },
    not_eligible: {
      title: '이 계정은 아직 여기에 로그인할 수 없습니다',
      text: (provider = '로그인에 사용하는') =>
        `현재 ${provider} 서비스는 일부 테스트 계정만 여기에 로그인하도록 허용합니다. 다른 계정을 사용하거나, 이 서비스의 운영자에게 계정 추가를 요청하세요.`,
    },
    not_found: {
      title: '페이지를 찾을 수 없습니다',
      text: '이 주소에는 페이지가 없습니다. 주소가 올바른지 확인하거나 로그인 페이지 또는 계정 페이지로 이동하세요.',
    },
    passkey_rejected: {
      title: '이 패스키는 사용할 수 없습니다',
      text: '확인할 수 없었습니다. 변경된 것은 없습니다. 다른 패스키를 사용하거나, 다른 방법으로 로그인한 후 계정 페이지에서 패스키를 확인해 주세요.',
    },
    passkey_unknown: {
      title: '이 패스키는 여기에 등록되어 있지 않습니다',
      text: '패스키나 해당 계정이 삭제되었을 수 있습니다. 다른 방법으로 로그인해 주세요. 기기에 이 패스키가 계속 표시되면 기기에 저장된 비밀번호 목록에서 삭제해 주세요.',
    },
    post_logout_redirect_uri_refused: {
      title: '로그아웃이 중단되었습니다',
      text: '앱이 등록하지 않은 주소로 이동시키려고 했습니다. 아직 로그인되어 있을 수 있습니다. 여기에서 로그아웃하세요. 이 문제는 앱 운영자가 해결할 수 있습니다.',
    },
    provider_invalid: {
      title: (provider = '로그인에 사용하는') => `${provider} 서비스의 응답이 올바르지 않습니다`,
      text: '사용자를 확인할 수 없어 로그인되지 않았습니다. 다시 시도하세요. 문제가 반복되면 아래의 참조 번호를 이 서비스의 운영자에게 보내 주세요.',
    },
    provider_misconfigured: {
      title: '이 로그인 방법이 작동하지 않습니다',
      text: '사용자의 잘못이 아니며, 다시 시도해도 해결되지 않습니다. 이 서비스의 운영자만 해결할 수 있습니다. 아래의 참조 번호를 운영자에게 보내 주세요. 다른 방법으로도 로그인할 수 있다면 그 방법을 선택하세요.',
    },
    provider_refused: {
      title: (provider = '로그인에 사용하는') =>
        `${provider} 서비스가 요청을 받아들이지 않았습니다`,
      text: '사용자의 잘못이 아니며, 이 서비스의 운영자만 해결할 수 있습니다. 아래의 참조 번호를 운영자에게 보내 주세요.',
    },
    provider_unavailable: {
      title: (provider = '로그인에 사용하는') => `${provider} 서비스가 응답하지 않습니다`,
      text: (provider = '로그인에 사용하는') =>
        `${provider} 서비스가 혼잡하거나 일시적인 문제가 있어 로그인되지 않았습니다. 1분 후에 다시 시도하세요.`,
    },
    provider_unknown: {
      title: '없는 로그인 방법입니다',
      text: '이 주소에 지정된 로그인 방법은 여기에서 사용할 수 없습니다. 사용할 수 있는 방법은 로그인 페이지에서 확인하세요.',
    },
    redirect_uri_refused: {
      title: '이 앱은 로그인 결과를 받을 수 없습니다',
      text: '앱이 등록하지 않은 주소로 결과를 받으려고 했습니다. 앱 운영자에게 알려 주세요. 앱 운영자만 해결할 수 있습니다.',
    },
    request_invalid: {
      title: '올바르지 않은 요청입니다',
      text: '요청의 일부가 없거나, 중복되었거나, 형식이 잘못되었습니다. 앱으로 돌아가 처음부터 다시 시작하세요. 문제가 반복되면 앱 운영자에게 알려 주세요.',
    },
    request_too_large: {
      title: '요청이 너무 큽니다',
      text: '브라우저에서 보낸 주소, 양식 또는 쿠키가 너무 깁니다. 이 사이트의 쿠키를 삭제한 다음 앱으로 돌아가 처음부터 다시 시작하세요.',
    },
    return_url_refused: {
      title: '알 수 없는 사이트로 연결되는 링크입니다',
      text: '로그인 후 이 서비스에 등록되지 않은 주소로 이동하게 되어 여기에서 중단했습니다. 앱에서 받은 링크라면 앱 운영자에게 알려 주세요.',
    },
    scope_missing: {
      title: '필요한 권한이 없습니다',
      text: (provider = '다른') =>
        `${provider} 서비스로 로그인할 때 여기에 필요한 권한을 껐습니다. 다시 로그인하고 권한을 켜 두세요.`,
    },
    sign_in_again: {
      title: '먼저 다시 로그인하세요',
      text: '계정을 보호하기 위해, 이 작업을 하려면 다시 로그인해야 합니다. 다시 로그인한 다음 10분 이내에 원하는 작업을 다시 진행하세요.',
    },
    too_many_guesses: {
      title: '잘못된 시도가 너무 많습니다',
      text: '잘못된 입력이 너무 많아 계정을 보호하기 위해 이 로그인을 중단했습니다. 처음부터 다시 시작해 주세요. 그래도 거부되면 15분 후에 다시 시도하세요.',
    },
    too_many_requests: {
      title: '요청이 너무 많습니다',
      text: '사용 중인 브라우저나 네트워크에서 짧은 시간에 너무 많은 요청을 보냈습니다. 1분 후에 다시 시도하세요.',
    },
    unavailable: {
      title: '지금은 사용할 수 없습니다',
      text: '이 서비스에 일시적인 문제가 있어 요청을 완료하지 못했습니다. 변경 중이었다면 변경이 완전하지 않을 수 있습니다. 1분 후에 다시 시도하세요.',
    },
    user_blocked: {
      title: '계정이 차단되었습니다',
      text: '이 서비스의 운영자가 계정을 차단하여 이 계정으로 로그인할 수 없습니다. 착오라고 생각되면 아래의 참조 번호를 포함하여 운영자에게 문의하세요.',
    },
  },
}
