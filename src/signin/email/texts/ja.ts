import type { EmailTexts } from './en.ts'

export const ja: EmailTexts = {
  name: 'メール',
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
    invalid: 'メールアドレスではありません。name@example.comのように入力してください。',
    tooMany: 'メールの送信回数が多すぎます。しばらく待つか、別の方法でログインしてください。',
    linkTitle: 'メールアドレスを追加',
  },
  code: {
    title: 'メールを確認してください',
    lead: (address) =>
      `${address}にメールを送信しました。メールにある6桁のコードをここに入力するか、このブラウザーでメールのリンクを開いてください。`,
    label: '6桁のコード',
    wrong: (remaining) => `コードが正しくありません。残りの試行回数：${remaining}`,
    notArrived: '1分たっても届かない場合は、アドレスと迷惑メールフォルダーを確認してください。',
    sendAgain: 'もう一度送信する',
    sentAgain: 'メールをもう一度送信しました。',
    wait: 'もう一度送信するには、30秒ほど待ってください。',
    otherAddress: '別のアドレスを使う',
  },
  link: {
    title: 'ログインを完了する',
    lead: (address) => `${address}に送信したリンクが開かれました。`,
  },
  elsewhere: {
    title: '開始したブラウザーでコードを入力してください',
    lead: 'このリンクは、ログインを開始したブラウザーで1回だけ使えます。そのブラウザーに戻り、メールにある6桁のコードを入力してください。',
    startedIn: (browser) => `開始した環境：${browser}`,
    warning:
      'ログインを開始した覚えがない場合は、メールを無視し、コードを誰にも教えないでください。コードを知っている人は、あなたとしてログインできます。',
  },
  message: {
    subject: (app) => `${app}へのログイン`,
    lead: (app) => `${app}にログインするためのコード：`,
    link: 'または、開始したブラウザーでこのリンクを開いてください：',
    button: 'ログイン',
    validity: (duration) => `コードとリンクは1回だけ使えます。有効時間：${duration}`,
    onlyAt: (host) =>
      `コードは${host}でのみ入力してください。関係者を名乗る人を含め、誰にも教えないでください。`,
    requestedFrom: (origin) => `リクエスト元：${origin}`,
    ignore:
      '心当たりがない場合は、このメールを無視してください。このメールがなければ、誰もログインできません。',
  },
}
