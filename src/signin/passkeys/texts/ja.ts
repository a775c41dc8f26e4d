import type { PasskeyTexts } from './en.ts'

export const ja: PasskeyTexts = {
  signIn: 'パスキーでログイン',
  field: 'あなたのパスキー',
  confirm: 'パスキーで確認',
  confirmLead: '続けるには、ご本人であることを確認してください。',
  failed: 'パスキーは使用されませんでした。もう一度試すか、別の方法でログインしてください。',
  heading: 'パスキー',
  lead: '指紋、顔、またはPINで、ほかのサービスを使わずにログインできます。',
  add: 'パスキーを追加',
  createTitle: 'パスキーを追加',
  createLead: 'スマートフォンやパスワードマネージャーなど、見分けられる名前を付けてください。',
  name: '名前',
  namePlaceholder: '私のスマートフォン',
  create: 'パスキーを作成',
  cancel: 'キャンセル',
  unsupported: 'このブラウザーはパスキーに対応していないか、JavaScriptが無効になっています。',
  existing: 'この端末には、あなたのアカウントのパスキーがすでにあります。',
  createFailed: 'パスキーは作成されませんでした。もう一度お試しください。',
  addedOn: (date) => `${date}に追加`,
  lastUsedOn: (date) => `最終使用日：${date}`,
  neverUsed: '未使用',
  synced: '複数の端末で利用可能',
  notSynced: '1台の端末のみ',
  rename: '名前を変更',
  save: '保存',
  removal: {
    remove: 'パスキーを削除',
    title: 'このパスキーを削除しますか？',
    effect:
      'このパスキーでログインできなくなります。端末には残るため、端末からも削除してください。',
    doneTitle: 'パスキーを削除しました',
  },
  lastMethod:
    'このパスキーは唯一のログイン方法です。削除するには、先にアカウントを連携するか、別のパスキーを追加してください。',
  tooMany: (count) =>
    `パスキーの数が上限（${count}個）に達しています。追加するには、どれかを削除してください。`,
  deletionNote:
    'パスキーは端末に残りますが、ここでは使えなくなります。端末からも削除してください。',
}
