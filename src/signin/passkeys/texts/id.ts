import type { PasskeyTexts } from './en.ts'

export const id: PasskeyTexts = {
  method: 'kunci sandi',
  signIn: 'Masuk dengan kunci sandi',
  confirm: 'Konfirmasi dengan kunci sandi',
  waiting: 'Ikuti petunjuk di perangkat Anda.',
  failed: 'Tidak ada kunci sandi yang digunakan. Coba lagi, atau masuk dengan cara lain.',
  heading: 'Kunci sandi',
  lead: 'Masuk dengan sidik jari, wajah, atau PIN perangkat Anda.',
  add: 'Tambahkan kunci sandi',
  createTitle: 'Tambahkan kunci sandi',
  createLead:
    'Setiap kunci sandi memerlukan nama agar mudah dikenali nanti, misalnya “Ponsel saya” atau “Komputer kantor”.',
  name: 'Nama',
  create: 'Buat kunci sandi',
  unsupported:
    'Browser ini tidak mendukung kunci sandi, atau JavaScript dinonaktifkan. Gunakan browser terbaru, atau aktifkan JavaScript.',
  existing: 'Perangkat ini sudah memiliki kunci sandi untuk akun Anda.',
  createFailed: 'Tidak ada kunci sandi yang dibuat. Silakan coba lagi.',
  addedOn: (date) => `Ditambahkan pada ${date}`,
  lastUsedOn: (date) => `terakhir digunakan pada ${date}`,
  neverUsed: 'belum digunakan',
  synced: 'tersedia di beberapa perangkat',
  notSynced: 'tersimpan hanya di satu perangkat',
  rename: 'Ubah nama',
  renameTitle: 'Ubah nama kunci sandi',
  save: 'Simpan',
  removal: {
    remove: 'Hapus kunci sandi',
    title: 'Hapus kunci sandi ini?',
    effect:
      'Anda tidak dapat lagi masuk di sini dengan kunci sandi ini. Jika kunci sandi masih ada di perangkat, hapus juga di sana.',
    doneTitle: 'Kunci sandi telah dihapus',
  },
  lastMethod:
    'Kunci sandi ini adalah satu-satunya cara Anda untuk masuk. Untuk menghapusnya, tambahkan cara lain terlebih dahulu.',
  tooMany: (count) =>
    `Anda telah mencapai batas ${count} kunci sandi. Hapus satu untuk menambahkan yang lain.`,
  deletionNote:
    'Kunci sandi Anda tidak berfungsi lagi di sini. Jika masih ada di perangkat Anda, hapus juga di sana.',
}
