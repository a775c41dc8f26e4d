import type { EmailTexts } from './en.ts'

export const zhHans: EmailTexts = {
  name: '邮箱',
  method: '邮箱',
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
    tooMany: (duration) => `请求的邮件过多。请在 ${duration}后重试。`,
    linkTitle: '添加电子邮件地址',
    linkAnother: '添加其他电子邮件地址',
    linkLead: '添加后，你可以使用发送到此地址的验证码登录。',
    linkConfirm: '添加此地址',
  },
  code: {
    title: '请查收邮件',
    linkTitle: '验证电子邮件地址',
    lead: (address) =>
      `我们已向 ${address} 发送邮件。请在此输入邮件中的六位验证码，或在此浏览器中打开邮件中的链接。`,
    label: '六位验证码',
    wrong: (remaining) => `验证码不正确。还可以再试 ${remaining} 次。`,
    notArrived: '一分钟后仍未收到邮件？请检查地址和垃圾邮件文件夹。',
    sendAgain: '重新发送',
    sentAgain: '我们已重新发送邮件，验证码不变。',
    wait: '请等待半分钟后再重新发送邮件。',
    otherAddress: '使用其他地址',
  },
  link: {
    title: '完成登录',
    lead: (address) => `点击下方按钮，即可使用 ${address} 登录。`,
    linkLead: (address) => `点击下方按钮，即可将 ${address} 添加到你的账号。`,
  },
  elsewhere: {
    title: '请在开始操作的浏览器中输入验证码',
    lead: '此链接只能使用一次，且只能在请求它的浏览器中使用。请返回该浏览器，输入邮件中的六位验证码。',
    startedIn: (browser) => `请求邮件的浏览器：${browser}`,
    warning:
      '如果这不是你的请求，请忽略此邮件，不要把验证码告诉任何人：得到验证码的人可以登录你的账号。',
  },
  message: {
    subject: (app) => `${app} 登录验证码`,
    lead: (app) => `你用于登录 ${app} 的验证码：`,
    linkSubject: (host) => `用于在 ${host} 添加此地址的验证码`,
    linkLead: (host) => `用于将此地址添加到你的 ${host} 账号的验证码：`,
    link: '或在请求验证码的浏览器中打开此链接：',
    button: '登录',
    validity: (duration) => `验证码和链接任选其一，${duration}内有效，只能使用一次。`,
    onlyAt: (host) => `只能在 ${host} 输入验证码。不要告诉任何人，包括自称是我们工作人员的人。`,
    requestedFrom: (origin) => `请求来源：${origin}`,
    ignore: '如果这不是你的请求，请忽略此邮件。没有验证码，任何人都无法继续操作。',
  },
}
