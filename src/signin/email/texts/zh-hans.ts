import type { EmailTexts } from './en.ts'

export const zhHans: EmailTexts = {
  name: '邮箱',
  removal: {
    remove: '移除此地址',
    title: '移除此电子邮件地址？',
    effect: '你将无法再用此地址在这里登录。',
    doneTitle: '电子邮件地址已移除',
  },
  address: {
    title: '使用电子邮件登录',
    label: '电子邮件地址',
    send: '通过邮件接收验证码',
    invalid: '这不是电子邮件地址。请输入类似 name@example.com 的地址。',
    tooMany: '请求的邮件过多。请稍候，或使用其他方式登录。',
    linkTitle: '添加电子邮件地址',
  },
  code: {
    title: '请查收邮件',
    lead: (address) =>
      `我们已向 ${address} 发送邮件。请在此输入邮件中的六位验证码，或在此浏览器中打开邮件中的链接。`,
    label: '六位验证码',
    wrong: (remaining) => `验证码不正确。剩余尝试次数：${remaining}。`,
    notArrived: '一分钟后仍未收到邮件？请检查地址和垃圾邮件文件夹。',
    sendAgain: '重新发送',
    sentAgain: '我们已重新发送邮件。',
    wait: '请等待半分钟后再重新发送邮件。',
    otherAddress: '使用其他地址',
  },
  link: {
    title: '完成登录',
    lead: (address) => `你打开了我们发送到 ${address} 的链接。`,
  },
  elsewhere: {
    title: '请在开始登录的地方输入验证码',
    lead: '此链接只能使用一次，且只能在开始登录的浏览器中使用。请返回该浏览器，输入邮件中的六位验证码。',
    startedIn: (browser) => `开始登录的浏览器：${browser}`,
    warning:
      '如果你没有开始登录，请忽略此邮件，不要把验证码告诉任何人：得到验证码的人可以以你的身份登录。',
  },
  message: {
    subject: (app) => `登录 ${app}`,
    lead: (app) => `你用于登录 ${app} 的验证码：`,
    link: '或在开始登录的浏览器中打开此链接：',
    button: '登录',
    validity: (duration) => `验证码和链接只能使用一次，有效时间：${duration}。`,
    onlyAt: (host) => `只能在 ${host} 输入验证码。不要告诉任何人，包括自称是我们工作人员的人。`,
    requestedFrom: (origin) => `请求来源：${origin}`,
    ignore: '如果这不是你的请求，请忽略此邮件。没有它，任何人都无法登录。',
  },
}
