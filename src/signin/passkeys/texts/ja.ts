import type { PasskeyTexts } from './en.ts'

export const ja: PasskeyTexts = {
  method: 'パスキー',
  signIn: 'パスキーでログイン',
  confirm: 'パスキーで確認',
  waiting: '端末の画面の指示に従ってください。',
  failed: 'パスキーでログインできませんでした。もう一度試すか、別の方法でログインしてください。',
  heading: 'パスキー',
  lead: '指紋認証、顔認証、または端末のPINでログインできます。',
  add: 'パスキーを追加',
  createTitle: 'パスキーを追加',
  createLead:
    'あとで見分けられるように、名前を付けてください（例：「私のスマートフォン」「会社のパソコン」）。',
  name: 'パスキーの名前',
  create: 'パスキーを作成',
  unsupported:
    'このブラウザーはパスキーに対応していないか、JavaScriptが無効になっています。最新のブラウザーを使うか、JavaScriptを有効にしてください。',
  existing: 'この端末には、このアカウントのパスキーがすでにあります。',
  createFailed: 'パスキーは作成されませんでした。もう一度お試しください。',
  addedOn: (date) => `${date}に追加`,
  lastUsedOn: (date) => `最終使用日：${date}`,
  neverUsed: '未使用',
  synced: '複数の端末で使えます',
  notSynced: '保存した端末でのみ使えます（同期されません）',
  rename: '名前を変更',
  renameTitle: 'パスキーの名前を変更',
  save: '保存',
  removal: {
    remove: 'パスキーを削除',
    title: 'このパスキーを削除しますか？',
    effect:
      'このパスキーでログインできなくなります。端末のパスワード管理アプリに残っている場合は、そこからも削除してください。',
    doneTitle: 'パスキーを削除しました',
  },
  lastMethod:
    'このパスキーが唯一のログイン方法です。削除するには、先に別の方法を追加してください。',
  tooMany: (count) =>
    `パスキーの数が上限（${count}個）に達しています。追加するには、どれかを削除してください。`,
  deletionNote:
    'パスキーはこのサービスでは使えなくなります。端末のパスワード管理アプリに残っている場合は、そこからも削除してください。',
}
