import type { EmailTexts } from './en.ts'

export const ko: EmailTexts = {
  name: '이메일',
  method: '이메일',
  removal: {
    remove: '이 주소 삭제',
    title: '이 이메일 주소를 삭제하시겠습니까?',
    effect: '이 주소로는 더 이상 여기에 로그인할 수 없습니다.',
    doneTitle: '이메일 주소가 삭제되었습니다',
  },
  address: {
    title: '이메일로 로그인',
    label: '이메일 주소',
    send: '이메일로 코드 받기',
    invalid: '이메일 주소가 아닙니다. name@example.com과 같은 주소를 입력하세요.',
    tooMany: (duration) => `메시지 요청이 너무 많습니다. ${duration} 후에 다시 시도하세요.`,
    linkTitle: '이메일 주소 추가',
    linkAnother: '다른 이메일 주소 추가',
    linkLead: '이 주소로 받은 코드로 로그인할 수 있게 됩니다.',
    linkConfirm: '이 주소 추가',
  },
  code: {
    title: '이메일을 확인하세요',
    linkTitle: '이메일 주소 확인',
    lead: (address) =>
      `${address} 주소로 메시지를 보냈습니다. 메시지에 있는 여섯 자리 코드를 여기에 입력하거나 이 브라우저에서 링크를 여세요.`,
    label: '여섯 자리 코드',
    wrong: (remaining) => `코드가 올바르지 않습니다. ${remaining}번 더 시도할 수 있습니다.`,
    notArrived: '1분이 지나도 메시지가 없나요? 주소와 스팸 폴더를 확인하세요.',
    sendAgain: '다시 보내기',
    sentAgain: '메시지를 다시 보냈습니다. 코드는 그대로입니다.',
    wait: '메시지를 다시 받으려면 30초 정도 기다리세요.',
    otherAddress: '다른 주소 사용',
  },
  link: {
    title: '로그인 마치기',
    lead: (address) => `아래 버튼을 누르면 ${address} 주소로 로그인됩니다.`,
    linkLead: (address) => `아래 버튼을 누르면 ${address} 주소가 계정에 추가됩니다.`,
  },
  elsewhere: {
    title: '시작한 곳에서 코드를 입력하세요',
    lead: '이 링크는 요청한 브라우저에서만 한 번 사용할 수 있습니다. 그 브라우저로 돌아가 메시지에 있는 여섯 자리 코드를 입력하세요.',
    startedIn: (browser) => `요청한 브라우저: ${browser}`,
    warning:
      '직접 요청하지 않았다면 메시지를 무시하고 코드를 아무에게도 알려 주지 마세요. 코드를 아는 사람은 회원님의 계정에 로그인할 수 있습니다.',
  },
  message: {
    subject: (app) => `${app} 로그인 코드`,
    lead: (app) => `${app} 로그인 코드:`,
    linkSubject: (host) => `${host} 계정에 이메일 주소를 추가하는 코드`,
    linkLead: (host) => `${host} 계정에 이 주소를 추가하기 위한 코드:`,
    link: '또는 코드를 요청한 브라우저에서 이 링크를 여세요:',
    button: '로그인',
    validity: (duration) => `코드와 링크 중 하나를 ${duration} 안에 한 번만 사용할 수 있습니다.`,
    onlyAt: (host) =>
      `코드는 ${host}에서만 입력하세요. 직원이라고 주장하는 사람을 포함해 아무에게도 알려 주지 마세요.`,
    requestedFrom: (origin) => `요청한 곳: ${origin}`,
    ignore:
      '요청하지 않았다면 이 메시지를 무시하세요. 코드를 입력하지 않으면 아무 일도 일어나지 않습니다.',
  },
}
