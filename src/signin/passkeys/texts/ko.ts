import type { PasskeyTexts } from './en.ts'

export const ko: PasskeyTexts = {
  method: '패스키',
  signIn: '패스키로 로그인',
  confirm: '패스키로 확인',
  waiting: '기기의 안내를 따라 주세요.',
  failed: '패스키가 사용되지 않았습니다. 다시 시도하거나 다른 방법으로 로그인해 주세요.',
  heading: '패스키',
  lead: '지문, 얼굴 또는 기기의 PIN으로 로그인할 수 있습니다.',
  add: '패스키 추가',
  createTitle: '패스키 추가',
  createLead:
    '나중에 알아볼 수 있도록 패스키의 이름을 꼭 입력해 주세요. 예: “내 휴대전화”, “회사 컴퓨터”',
  name: '이름',
  create: '패스키 만들기',
  unsupported:
    '이 브라우저는 패스키를 지원하지 않거나 JavaScript가 꺼져 있습니다. 최신 브라우저를 사용하거나 JavaScript를 켜 주세요.',
  existing: '이 기기에는 이미 내 계정의 패스키가 있습니다.',
  createFailed: '패스키가 만들어지지 않았습니다. 다시 시도해 주세요.',
  addedOn: (date) => `${date}에 추가됨`,
  lastUsedOn: (date) => `마지막 사용: ${date}`,
  neverUsed: '아직 사용하지 않음',
  synced: '여러 기기에서 사용 가능',
  notSynced: '한 기기에만 저장됨',
  rename: '이름 변경',
  renameTitle: '패스키 이름 변경',
  save: '저장',
  removal: {
    remove: '패스키 삭제',
    title: '이 패스키를 삭제하시겠습니까?',
    effect:
      '이 패스키로는 더 이상 여기에 로그인할 수 없습니다. 기기에 남아 있으면 기기에서도 삭제하세요.',
    doneTitle: '패스키가 삭제되었습니다',
  },
  lastMethod: '이 패스키가 유일한 로그인 방법입니다. 삭제하려면 먼저 다른 방법을 추가하세요.',
  tooMany: (count) =>
    `패스키 수가 최대(${count}개)에 도달했습니다. 추가하려면 하나를 삭제해 주세요.`,
  deletionNote:
    '패스키는 여기에서 더 이상 사용할 수 없습니다. 기기에 남아 있으면 기기에서도 삭제하세요.',
}
