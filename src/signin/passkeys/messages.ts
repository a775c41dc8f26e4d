import type { Messages } from '../../pages/messages/en.ts'

/** The texts about passkeys, in one language. */
export interface PasskeyMessages {
  signIn: string
  /** The label of the field in which browsers offer passkeys. */
  field: string
  confirm: string
  /** Why a passkey is requested of a user who is signed in. */
  confirmLead: string
  failed: string
  heading: string
  lead: string
  add: string
  createTitle: string
  createLead: string
  name: string
  namePlaceholder: string
  create: string
  cancel: string
  unsupported: string
  existing: string
  createFailed: string
  addedOn: (date: string) => string
  lastUsedOn: (date: string) => string
  neverUsed: string
  synced: string
  notSynced: string
  rename: string
  save: string
  remove: (name: string) => string
  lastMethod: string
  tooMany: string
}

const en: PasskeyMessages = {
  signIn: 'Sign in with a passkey',
  field: 'Your passkeys',
  confirm: 'Confirm with your passkey',
  confirmLead: 'To continue, confirm that it is you.',
  failed: 'No passkey was used. Try again, or sign in another way.',
  heading: 'Passkeys',
  lead: 'Sign in with your fingerprint, your face or a PIN, without another service.',
  add: 'Add a passkey',
  createTitle: 'Add a passkey',
  createLead: 'Give it a name by which you recognise it, such as your phone or password manager.',
  name: 'Name',
  namePlaceholder: 'My phone',
  create: 'Create passkey',
  cancel: 'Cancel',
  unsupported: 'This browser does not support passkeys, or JavaScript is turned off.',
  existing: 'This device already has a passkey for your account.',
  createFailed: 'No passkey was created. Please try again.',
  addedOn: (date) => `Added on ${date}`,
  lastUsedOn: (date) => `last used on ${date}`,
  neverUsed: 'not used yet',
  synced: 'available on several devices',
  notSynced: 'on one device only',
  rename: 'Rename',
  save: 'Save',
  remove: (name) => `Remove ${name}`,
  lastMethod:
    'This passkey is your only way to sign in. To remove it, first link an account or add another passkey.',
  tooMany: 'You have as many passkeys as possible. Remove one to add another.',
}

const es: PasskeyMessages = {
  signIn: 'Iniciar sesión con una llave de acceso',
  field: 'Tus llaves de acceso',
  confirm: 'Confirmar con tu llave de acceso',
  confirmLead: 'Para continuar, confirma que eres tú.',
  failed: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o inicia sesión de otra forma.',
  heading: 'Llaves de acceso',
  lead: 'Inicia sesión con tu huella, tu cara o un PIN, sin otro servicio.',
  add: 'Añadir una llave de acceso',
  createTitle: 'Añadir una llave de acceso',
  createLead:
    'Ponle un nombre por el que la reconozcas, como tu teléfono o tu gestor de contraseñas.',
  name: 'Nombre',
  namePlaceholder: 'Mi teléfono',
  create: 'Crear llave de acceso',
  cancel: 'Cancelar',
  unsupported: 'Este navegador no admite llaves de acceso, o JavaScript está desactivado.',
  existing: 'Este dispositivo ya tiene una llave de acceso para tu cuenta.',
  createFailed: 'No se creó ninguna llave de acceso. Inténtalo de nuevo.',
  addedOn: (date) => `Añadida el ${date}`,
  lastUsedOn: (date) => `usada por última vez el ${date}`,
  neverUsed: 'aún no usada',
  synced: 'disponible en varios dispositivos',
  notSynced: 'solo en un dispositivo',
  rename: 'Cambiar nombre',
  save: 'Guardar',
  remove: (name) => `Eliminar ${name}`,
  lastMethod:
    'Esta llave de acceso es tu única forma de iniciar sesión. Para eliminarla, vincula antes una cuenta o añade otra llave de acceso.',
  tooMany: 'Ya tienes el máximo de llaves de acceso. Elimina una para añadir otra.',
}

const de: PasskeyMessages = {
  signIn: 'Mit Passkey anmelden',
  field: 'Deine Passkeys',
  confirm: 'Mit deinem Passkey bestätigen',
  confirmLead: 'Bestätige, dass du es bist, um fortzufahren.',
  failed: 'Es wurde kein Passkey verwendet. Versuche es noch einmal oder melde dich anders an.',
  heading: 'Passkeys',
  lead: 'Melde dich mit Fingerabdruck, Gesicht oder PIN an, ohne einen anderen Dienst.',
  add: 'Passkey hinzufügen',
  createTitle: 'Passkey hinzufügen',
  createLead:
    'Gib ihm einen Namen, an dem du ihn erkennst, zum Beispiel nach deinem Smartphone oder deinem Passwortmanager.',
  name: 'Name',
  namePlaceholder: 'Mein Smartphone',
  create: 'Passkey erstellen',
  cancel: 'Abbrechen',
  unsupported: 'Dieser Browser unterstützt keine Passkeys, oder JavaScript ist ausgeschaltet.',
  existing: 'Auf diesem Gerät gibt es bereits einen Passkey für dein Konto.',
  createFailed: 'Es wurde kein Passkey erstellt. Bitte versuche es noch einmal.',
  addedOn: (date) => `Hinzugefügt am ${date}`,
  lastUsedOn: (date) => `zuletzt verwendet am ${date}`,
  neverUsed: 'noch nicht verwendet',
  synced: 'auf mehreren Geräten verfügbar',
  notSynced: 'nur auf einem Gerät',
  rename: 'Umbenennen',
  save: 'Speichern',
  remove: (name) => `${name} entfernen`,
  lastMethod:
    'Dieser Passkey ist deine einzige Möglichkeit, dich anzumelden. Um ihn zu entfernen, verknüpfe zuerst ein Konto oder füge einen anderen Passkey hinzu.',
  tooMany:
    'Du hast die größtmögliche Zahl von Passkeys. Entferne einen, um einen anderen hinzuzufügen.',
}

const fr: PasskeyMessages = {
  signIn: 'Se connecter avec une clé d’accès',
  field: 'Vos clés d’accès',
  confirm: 'Confirmer avec votre clé d’accès',
  confirmLead: 'Pour continuer, confirmez qu’il s’agit bien de vous.',
  failed: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou connectez-vous autrement.',
  heading: 'Clés d’accès',
  lead: 'Connectez-vous avec votre empreinte, votre visage ou un code, sans autre service.',
  add: 'Ajouter une clé d’accès',
  createTitle: 'Ajouter une clé d’accès',
  createLead:
    'Donnez-lui un nom qui vous permet de la reconnaître, par exemple votre téléphone ou votre gestionnaire de mots de passe.',
  name: 'Nom',
  namePlaceholder: 'Mon téléphone',
  create: 'Créer la clé d’accès',
  cancel: 'Annuler',
  unsupported:
    'Ce navigateur ne prend pas en charge les clés d’accès, ou JavaScript est désactivé.',
  existing: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  createFailed: 'Aucune clé d’accès n’a été créée. Veuillez réessayer.',
  addedOn: (date) => `Ajoutée le ${date}`,
  lastUsedOn: (date) => `utilisée pour la dernière fois le ${date}`,
  neverUsed: 'pas encore utilisée',
  synced: 'disponible sur plusieurs appareils',
  notSynced: 'sur un seul appareil',
  rename: 'Renommer',
  save: 'Enregistrer',
  remove: (name) => `Supprimer ${name}`,
  lastMethod:
    'Cette clé d’accès est votre seul moyen de vous connecter. Pour la supprimer, associez d’abord un compte ou ajoutez une autre clé d’accès.',
  tooMany:
    'Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en une pour en ajouter une autre.',
}

const ptBR: PasskeyMessages = {
  signIn: 'Entrar com uma chave de acesso',
  field: 'Suas chaves de acesso',
  confirm: 'Confirmar com sua chave de acesso',
  confirmLead: 'Para continuar, confirme que é você.',
  failed: 'Nenhuma chave de acesso foi usada. Tente de novo ou entre de outra forma.',
  heading: 'Chaves de acesso',
  lead: 'Entre com sua impressão digital, seu rosto ou um PIN, sem outro serviço.',
  add: 'Adicionar uma chave de acesso',
  createTitle: 'Adicionar uma chave de acesso',
  createLead: 'Dê a ela um nome que você reconheça, como seu celular ou seu gerenciador de senhas.',
  name: 'Nome',
  namePlaceholder: 'Meu celular',
  create: 'Criar chave de acesso',
  cancel: 'Cancelar',
  unsupported:
    'Este navegador não é compatível com chaves de acesso, ou o JavaScript está desativado.',
  existing: 'Este dispositivo já tem uma chave de acesso para sua conta.',
  createFailed: 'Nenhuma chave de acesso foi criada. Tente de novo.',
  addedOn: (date) => `Adicionada em ${date}`,
  lastUsedOn: (date) => `usada pela última vez em ${date}`,
  neverUsed: 'ainda não usada',
  synced: 'disponível em vários dispositivos',
  notSynced: 'somente em um dispositivo',
  rename: 'Renomear',
  save: 'Salvar',
  remove: (name) => `Remover ${name}`,
  lastMethod:
    'Esta chave de acesso é sua única forma de entrar. Para removê-la, primeiro vincule uma conta ou adicione outra chave de acesso.',
  tooMany: 'Você já tem o máximo de chaves de acesso. Remova uma para adicionar outra.',
}

const it: PasskeyMessages = {
  signIn: 'Accedi con una passkey',
  field: 'Le tue passkey',
  confirm: 'Conferma con la tua passkey',
  confirmLead: 'Per continuare, conferma che sei tu.',
  failed: 'Non è stata usata nessuna passkey. Riprova o accedi in un altro modo.',
  heading: 'Passkey',
  lead: 'Accedi con l’impronta, il volto o un PIN, senza un altro servizio.',
  add: 'Aggiungi una passkey',
  createTitle: 'Aggiungi una passkey',
  createLead:
    'Dalle un nome che ti permetta di riconoscerla, per esempio il telefono o il gestore di password.',
  name: 'Nome',
  namePlaceholder: 'Il mio telefono',
  create: 'Crea passkey',
  cancel: 'Annulla',
  unsupported: 'Questo browser non supporta le passkey, oppure JavaScript è disattivato.',
  existing: 'Questo dispositivo ha già una passkey per il tuo account.',
  createFailed: 'Non è stata creata nessuna passkey. Riprova.',
  addedOn: (date) => `Aggiunta il ${date}`,
  lastUsedOn: (date) => `usata l’ultima volta il ${date}`,
  neverUsed: 'non ancora usata',
  synced: 'disponibile su più dispositivi',
  notSynced: 'solo su un dispositivo',
  rename: 'Rinomina',
  save: 'Salva',
  remove: (name) => `Rimuovi ${name}`,
  lastMethod:
    'Questa passkey è il tuo unico modo di accedere. Per rimuoverla, prima collega un account o aggiungi un’altra passkey.',
  tooMany: 'Hai raggiunto il numero massimo di passkey. Rimuovine una per aggiungerne un’altra.',
}

const ja: PasskeyMessages = {
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
  remove: (name) => `${name}を削除`,
  lastMethod:
    'このパスキーは唯一のログイン方法です。削除するには、先にアカウントを連携するか、別のパスキーを追加してください。',
  tooMany: 'パスキーの数が上限に達しています。追加するには、どれかを削除してください。',
}

const ko: PasskeyMessages = {
  signIn: '패스키로 로그인',
  field: '내 패스키',
  confirm: '패스키로 확인',
  confirmLead: '계속하려면 본인임을 확인해 주세요.',
  failed: '패스키가 사용되지 않았습니다. 다시 시도하거나 다른 방법으로 로그인해 주세요.',
  heading: '패스키',
  lead: '다른 서비스 없이 지문, 얼굴 또는 PIN으로 로그인할 수 있습니다.',
  add: '패스키 추가',
  createTitle: '패스키 추가',
  createLead: '휴대전화나 비밀번호 관리자처럼 알아볼 수 있는 이름을 붙여 주세요.',
  name: '이름',
  namePlaceholder: '내 휴대전화',
  create: '패스키 만들기',
  cancel: '취소',
  unsupported: '이 브라우저는 패스키를 지원하지 않거나 JavaScript가 꺼져 있습니다.',
  existing: '이 기기에는 이미 내 계정의 패스키가 있습니다.',
  createFailed: '패스키가 만들어지지 않았습니다. 다시 시도해 주세요.',
  addedOn: (date) => `${date}에 추가됨`,
  lastUsedOn: (date) => `마지막 사용: ${date}`,
  neverUsed: '아직 사용하지 않음',
  synced: '여러 기기에서 사용 가능',
  notSynced: '한 기기에서만 사용 가능',
  rename: '이름 변경',
  save: '저장',
  remove: (name) => `${name} 삭제`,
  lastMethod:
    '이 패스키는 유일한 로그인 방법입니다. 삭제하려면 먼저 계정을 연결하거나 다른 패스키를 추가해 주세요.',
  tooMany: '패스키 수가 최대에 도달했습니다. 추가하려면 하나를 삭제해 주세요.',
}

const zhHans: PasskeyMessages = {
  signIn: '使用通行密钥登录',
  field: '你的通行密钥',
  confirm: '使用通行密钥确认',
  confirmLead: '要继续，请确认是你本人。',
  failed: '没有使用通行密钥。请重试，或用其他方式登录。',
  heading: '通行密钥',
  lead: '使用指纹、面容或 PIN 码登录，无需其他服务。',
  add: '添加通行密钥',
  createTitle: '添加通行密钥',
  createLead: '为它取一个便于识别的名称，例如你的手机或密码管理器。',
  name: '名称',
  namePlaceholder: '我的手机',
  create: '创建通行密钥',
  cancel: '取消',
  unsupported: '此浏览器不支持通行密钥，或 JavaScript 已关闭。',
  existing: '此设备上已有你账号的通行密钥。',
  createFailed: '没有创建通行密钥。请重试。',
  addedOn: (date) => `添加于 ${date}`,
  lastUsedOn: (date) => `上次使用于 ${date}`,
  neverUsed: '尚未使用',
  synced: '可在多台设备上使用',
  notSynced: '仅在一台设备上',
  rename: '重命名',
  save: '保存',
  remove: (name) => `移除 ${name}`,
  lastMethod: '此通行密钥是你唯一的登录方式。要移除它，请先关联一个账号或添加另一个通行密钥。',
  tooMany: '通行密钥数量已达上限。要添加新的，请先移除一个。',
}

const ar: PasskeyMessages = {
  signIn: 'تسجيل الدخول بمفتاح مرور',
  field: 'مفاتيح المرور الخاصة بك',
  confirm: 'التأكيد بمفتاح المرور',
  confirmLead: 'للمتابعة، أكّد أنك صاحب الحساب.',
  failed: 'لم يُستخدم أي مفتاح مرور. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.',
  heading: 'مفاتيح المرور',
  lead: 'سجّل الدخول ببصمتك أو وجهك أو رمز PIN، دون خدمة أخرى.',
  add: 'إضافة مفتاح مرور',
  createTitle: 'إضافة مفتاح مرور',
  createLead: 'أعطه اسمًا تتعرّف عليه به، مثل هاتفك أو مدير كلمات المرور.',
  name: 'الاسم',
  namePlaceholder: 'هاتفي',
  create: 'إنشاء مفتاح المرور',
  cancel: 'إلغاء',
  unsupported: 'هذا المتصفح لا يدعم مفاتيح المرور، أو أن JavaScript متوقف.',
  existing: 'يوجد على هذا الجهاز مفتاح مرور لحسابك بالفعل.',
  createFailed: 'لم يُنشأ أي مفتاح مرور. حاول مرة أخرى.',
  addedOn: (date) => `أُضيف في ${date}`,
  lastUsedOn: (date) => `آخر استخدام في ${date}`,
  neverUsed: 'لم يُستخدم بعد',
  synced: 'متاح على عدة أجهزة',
  notSynced: 'على جهاز واحد فقط',
  rename: 'إعادة التسمية',
  save: 'حفظ',
  remove: (name) => `إزالة ${name}`,
  lastMethod:
    'مفتاح المرور هذا هو طريقتك الوحيدة لتسجيل الدخول. لإزالته، اربط حسابًا أو أضف مفتاح مرور آخر أولًا.',
  tooMany: 'لديك أكبر عدد ممكن من مفاتيح المرور. أزل واحدًا لإضافة آخر.',
}

const hi: PasskeyMessages = {
  signIn: 'पासकी से साइन इन करें',
  field: 'आपकी पासकी',
  confirm: 'अपनी पासकी से पुष्टि करें',
  confirmLead: 'जारी रखने के लिए पुष्टि करें कि यह आप ही हैं.',
  failed: 'किसी पासकी का उपयोग नहीं हुआ. फिर से कोशिश करें या किसी और तरीके से साइन इन करें.',
  heading: 'पासकी',
  lead: 'किसी और सेवा के बिना, अपने फ़िंगरप्रिंट, चेहरे या PIN से साइन इन करें.',
  add: 'पासकी जोड़ें',
  createTitle: 'पासकी जोड़ें',
  createLead: 'इसे ऐसा नाम दें जिससे आप इसे पहचान सकें, जैसे आपका फ़ोन या पासवर्ड मैनेजर.',
  name: 'नाम',
  namePlaceholder: 'मेरा फ़ोन',
  create: 'पासकी बनाएँ',
  cancel: 'रद्द करें',
  unsupported: 'यह ब्राउज़र पासकी का समर्थन नहीं करता, या JavaScript बंद है.',
  existing: 'इस डिवाइस पर आपके खाते की पासकी पहले से है.',
  createFailed: 'कोई पासकी नहीं बनी. कृपया फिर से कोशिश करें.',
  addedOn: (date) => `${date} को जोड़ी गई`,
  lastUsedOn: (date) => `पिछली बार ${date} को उपयोग की गई`,
  neverUsed: 'अभी तक उपयोग नहीं हुई',
  synced: 'कई डिवाइस पर उपलब्ध',
  notSynced: 'केवल एक डिवाइस पर',
  rename: 'नाम बदलें',
  save: 'सहेजें',
  remove: (name) => `${name} हटाएँ`,
  lastMethod:
    'यह पासकी साइन इन करने का आपका एकमात्र तरीका है. इसे हटाने के लिए पहले कोई खाता लिंक करें या दूसरी पासकी जोड़ें.',
  tooMany: 'आपके पास अधिकतम संख्या में पासकी हैं. दूसरी जोड़ने के लिए एक हटाएँ.',
}

const id: PasskeyMessages = {
  signIn: 'Masuk dengan kunci sandi',
  field: 'Kunci sandi Anda',
  confirm: 'Konfirmasi dengan kunci sandi',
  confirmLead: 'Untuk melanjutkan, konfirmasikan bahwa ini memang Anda.',
  failed: 'Tidak ada kunci sandi yang digunakan. Coba lagi, atau masuk dengan cara lain.',
  heading: 'Kunci sandi',
  lead: 'Masuk dengan sidik jari, wajah, atau PIN, tanpa layanan lain.',
  add: 'Tambahkan kunci sandi',
  createTitle: 'Tambahkan kunci sandi',
  createLead: 'Beri nama yang Anda kenali, seperti ponsel atau pengelola kata sandi Anda.',
  name: 'Nama',
  namePlaceholder: 'Ponsel saya',
  create: 'Buat kunci sandi',
  cancel: 'Batal',
  unsupported: 'Browser ini tidak mendukung kunci sandi, atau JavaScript dinonaktifkan.',
  existing: 'Perangkat ini sudah memiliki kunci sandi untuk akun Anda.',
  createFailed: 'Tidak ada kunci sandi yang dibuat. Silakan coba lagi.',
  addedOn: (date) => `Ditambahkan pada ${date}`,
  lastUsedOn: (date) => `terakhir digunakan pada ${date}`,
  neverUsed: 'belum digunakan',
  synced: 'tersedia di beberapa perangkat',
  notSynced: 'hanya di satu perangkat',
  rename: 'Ubah nama',
  save: 'Simpan',
  remove: (name) => `Hapus ${name}`,
  lastMethod:
    'Kunci sandi ini satu-satunya cara Anda untuk masuk. Untuk menghapusnya, tautkan akun atau tambahkan kunci sandi lain terlebih dahulu.',
  tooMany: 'Jumlah kunci sandi Anda sudah maksimal. Hapus satu untuk menambahkan yang lain.',
}

/** Every language of the pages. */
export const PASSKEY_MESSAGES = {
  en,
  es,
  de,
  fr,
  'pt-BR': ptBR,
  it,
  ja,
  ko,
  'zh-Hans': zhHans,
  ar,
  hi,
  id,
} satisfies Record<string, PasskeyMessages>

/** The texts in the language of a page; English if a deployment has added its language itself. */
export function passkeyMessages({ language }: Pick<Messages, 'language'>): PasskeyMessages {
  const texts: Record<string, PasskeyMessages> = PASSKEY_MESSAGES
  return texts[language] ?? en
}
