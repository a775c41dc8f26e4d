import type { PasskeyTexts } from './en.ts'

export const id: PasskeyTexts = {
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
  removal: {
    remove: 'Hapus kunci sandi',
    title: 'Hapus kunci sandi ini?',
    effect:
      'Anda tidak dapat lagi masuk di sini dengan kunci sandi ini. Kunci sandi tetap ada di perangkat Anda: hapus juga di sana.',
    doneTitle: 'Kunci sandi telah dihapus',
  },
  lastMethod:
    'Kunci sandi ini satu-satunya cara Anda untuk masuk. Untuk menghapusnya, tautkan akun atau tambahkan kunci sandi lain terlebih dahulu.',
  tooMany: (count) =>
    `Anda telah mencapai batas ${count} kunci sandi. Hapus satu untuk menambahkan yang lain.`,
  deletionNote:
    'Kunci sandi tetap ada di perangkat Anda, tetapi tidak berfungsi lagi di sini. Hapus juga di sana.',
}
