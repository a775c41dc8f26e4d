import type { PasskeyTexts } from './en.ts'

export const zhHans: PasskeyTexts = {
  signIn: '使用通行密钥登录',
  confirm: '使用通行密钥确认',
  failed: '没有使用通行密钥。请重试，或用其他方式登录。',
  heading: '通行密钥',
  lead: '使用指纹、面容或设备的 PIN 码登录。',
  add: '添加通行密钥',
  createTitle: '添加通行密钥',
  createLead: '每个通行密钥都需要一个便于以后识别的名称，例如“我的手机”或“办公电脑”。',
  name: '名称',
  create: '创建通行密钥',
  cancel: '取消',
  unsupported:
    '此浏览器不支持通行密钥，或 JavaScript 已关闭。请使用新版浏览器，或开启 JavaScript。',
  existing: '此设备上已有你账号的通行密钥。',
  createFailed: '没有创建通行密钥。请重试。',
  addedOn: (date) => `添加于 ${date}`,
  lastUsedOn: (date) => `上次使用于 ${date}`,
  neverUsed: '尚未使用',
  synced: '可在多台设备上使用',
  notSynced: '仅保存在一台设备上',
  rename: '重命名',
  save: '保存',
  remove: (name) => `移除 ${name}`,
  lastMethod: '此通行密钥是你唯一的登录方式。要移除它，请先关联一个账号或添加另一个通行密钥。',
  tooMany: '通行密钥数量已达上限。要添加新的，请先移除一个。',
}
