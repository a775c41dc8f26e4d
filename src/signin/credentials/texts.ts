import { type Translations, textsIn } from '../../pages/messages/languages.ts'

interface CredentialsTexts {
  /** The details are wrong, or nobody has them. */
  wrong: string
  /** Too many wrong details were sent. */
  wait: (duration: string) => string
}

/** The labels of the fields belong to the deployment. */
export const CREDENTIALS_TEXTS: Translations<CredentialsTexts> = {
  en: {
    wrong: 'These details are not correct. Check them and try again.',
    wait: (duration) => `Too many wrong attempts. Time to wait before the next one: ${duration}.`,
  },
  es: {
    wrong: 'Estos datos no son correctos. Compruébalos e inténtalo de nuevo.',
    wait: (duration) =>
      `Demasiados intentos fallidos. Tiempo de espera hasta el próximo: ${duration}.`,
  },
  de: {
    wrong: 'Diese Angaben sind nicht richtig. Prüfe sie und versuche es noch einmal.',
    wait: (duration) => `Zu viele falsche Versuche. Wartezeit bis zum nächsten: ${duration}.`,
  },
  fr: {
    wrong: 'Ces informations ne sont pas correctes. Vérifiez-les et réessayez.',
    wait: (duration) => `Trop d’essais erronés. Temps d’attente avant le prochain : ${duration}.`,
  },
  'pt-BR': {
    wrong: 'Estes dados não estão corretos. Confira-os e tente de novo.',
    wait: (duration) => `Tentativas erradas demais. Tempo de espera até a próxima: ${duration}.`,
  },
  it: {
    wrong: 'Questi dati non sono corretti. Controllali e riprova.',
    wait: (duration) => `Troppi tentativi errati. Tempo di attesa prima del prossimo: ${duration}.`,
  },
  ja: {
    wrong: '入力した情報が正しくありません。確認して、もう一度お試しください。',
    wait: (duration) => `間違いが多すぎます。次に試せるまでの時間：${duration}`,
  },
  ko: {
    wrong: '입력한 정보가 올바르지 않습니다. 확인한 후 다시 시도하세요.',
    wait: (duration) => `잘못된 시도가 너무 많습니다. 다음 시도까지 기다릴 시간: ${duration}`,
  },
  'zh-Hans': {
    wrong: '输入的信息不正确。请检查后重试。',
    wait: (duration) => `错误次数过多。距下次尝试需等待：${duration}。`,
  },
  ar: {
    wrong: 'هذه المعلومات غير صحيحة. تحقّق منها وأعد المحاولة.',
    wait: (duration) => `محاولات خاطئة كثيرة جدًا. مدة الانتظار قبل المحاولة التالية: ${duration}.`,
  },
  hi: {
    wrong: 'यह जानकारी सही नहीं है. इसे जाँचें और फिर कोशिश करें.',
    wait: (duration) => `बहुत ज़्यादा गलत प्रयास हुए. अगले प्रयास तक रुकने का समय: ${duration}.`,
  },
  id: {
    wrong: 'Data ini salah. Periksa lalu coba lagi.',
    wait: (duration) =>
      `Terlalu banyak percobaan yang salah. Waktu tunggu sebelum percobaan berikutnya: ${duration}.`,
  },
}

/** The texts of sign-in with credentials in the language of a page. */
export function credentialsTexts(language: string): CredentialsTexts {
  return textsIn(language, CREDENTIALS_TEXTS)
}
