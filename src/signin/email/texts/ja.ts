import type { EmailTexts } from './en.ts'

export const ja: EmailTexts = {
  name: 'メール',
  method: 'メール',
  removal: {
    remove: 'このメールアドレスを削除',
    title: 'このメールアドレスを削除しますか？',
    effect: 'このメールアドレスでログインできなくなります。',
    doneTitle: 'メールアドレスを削除しました',
  },
  address: {
    title: 'メールでログイン',
    label: 'メールアドレス',
    send: 'コードをメールで受け取る',
    invalid: 'メールアドレスの形式が正しくありません。name@example.comのように入力してください。',
    tooMany: (duration) => `メールの送信回数が多すぎます。${duration}後にもう一度お試しください。`,
    linkTitle: 'メールアドレスを追加',
    linkAnother: '別のメールアドレスを追加',
    linkLead: '追加したアドレスに届くコードでログインできるようになります。',
    linkConfirm: 'このアドレスを追加',
  },
  code: {
    title: 'メールを確認してください',
    linkTitle: 'メールアドレスの確認',
    lead: (address) =>
      `${address}にメールを送信しました。メールにある6桁のコードをここに入力するか、このブラウザーでメールのリンクを開いてください。`,
    label: '6桁のコード',
    wrong: (remaining) => `コードが正しくありません。あと${remaining}回入力できます。`,
    notArrived: '1分たっても届かない場合は、アドレスと迷惑メールフォルダーを確認してください。',
    sendAgain: 'もう一度送信する',
    sentAgain: 'メールをもう一度送信しました。コードは前回と同じです。',
    wait: 'もう一度送信するには、30秒ほど待ってください。',
    otherAddress: '別のアドレスを使う',
  },
  link: {
    title: 'ログインを完了する',
    lead: (address) => `「ログイン」を押すと、${address}でログインします。`,
    linkLead: (address) => `下のボタンを押すと、${address}がアカウントに追加されます。`,
  },
  elsewhere: {
    title: '手続きを始めたブラウザーでコードを入力してください',
    lead: 'このリンクは、手続きを始めたブラウザーで1回だけ使えます。そのブラウザーに戻り、メールにある6桁のコードを入力してください。',
    startedIn: (browser) => `手続きを始めたブラウザー：${browser}`,
    warning:
      '心当たりがない場合は、メールを無視し、コードを誰にも教えないでください。コードを知られると、第三者があなたのアカウントにログインできてしまいます。',
  },
  message: {
    subject: (app) => `${app}のログインコード`,
    lead: (app) => `${app}にログインするためのコード：`,
    linkSubject: (host) => `${host}のアカウントにメールアドレスを追加するコード`,
    linkLead: (host) => `${host}のアカウントにこのメールアドレスを追加するためのコード：`,
    link: 'または、手続きを始めたブラウザーで次のリンクを開いてください：',
    button: 'ログインを完了する',
    validity: (duration) =>
      `有効期限は${duration}です。コードまたはリンクのどちらか一方を、1回だけ使えます。`,
    onlyAt: (host) =>
      `コードは${host}以外では入力しないでください。当サービスのスタッフを名乗る人を含め、誰にも教えないでください。`,
    requestedFrom: (origin) => `リクエスト元：${origin}`,
    ignore:
      '心当たりがない場合は、このメールを無視してください。コードを誰にも教えなければ、第三者に使われることはありません。',
  },
}
