import type { EmailTexts } from './en.ts'

export const id: EmailTexts = {
  name: 'Email',
  removal: {
    remove: 'Hapus alamat ini',
    title: 'Hapus alamat email ini?',
    effect: 'Anda tidak dapat lagi masuk di sini dengan alamat ini.',
    doneTitle: 'Alamat email telah dihapus',
  },
  address: {
    title: 'Masuk dengan email',
    label: 'Alamat email',
    send: 'Kirim kode lewat email',
    invalid: 'Ini bukan alamat email. Masukkan alamat seperti nama@example.com.',
    tooMany: 'Terlalu banyak pesan yang diminta. Tunggu sebentar, atau masuk dengan cara lain.',
    linkTitle: 'Tambahkan alamat email',
  },
  code: {
    title: 'Periksa email Anda',
    lead: (address) =>
      `Kami telah mengirim pesan ke ${address}. Masukkan kode enam digit dari pesan itu di sini, atau buka tautannya di browser ini.`,
    label: 'Kode enam digit',
    wrong: (remaining) => `Kode itu salah. Sisa percobaan: ${remaining}.`,
    notArrived: 'Belum ada pesan setelah satu menit? Periksa alamat dan folder spam Anda.',
    sendAgain: 'Kirim lagi',
    sentAgain: 'Kami telah mengirim pesan itu lagi.',
    wait: 'Tunggu setengah menit sebelum meminta pesan dikirim lagi.',
    otherAddress: 'Gunakan alamat lain',
  },
  link: {
    title: 'Selesaikan proses masuk',
    lead: (address) => `Anda membuka tautan yang kami kirim ke ${address}.`,
  },
  elsewhere: {
    title: 'Masukkan kode di tempat Anda memulai',
    lead: 'Tautan ini berfungsi sekali, dan hanya di browser tempat proses masuk dimulai. Kembalilah ke sana dan masukkan kode enam digit dari pesan.',
    startedIn: (browser) => `Dimulai di: ${browser}`,
    warning:
      'Jika Anda tidak memulai proses masuk, abaikan pesan itu dan jangan berikan kodenya kepada siapa pun: siapa pun yang memilikinya dapat masuk sebagai Anda.',
  },
  message: {
    subject: (app) => `Masuk ke ${app}`,
    lead: (app) => `Kode Anda untuk masuk ke ${app}:`,
    link: 'Atau buka tautan ini di browser tempat Anda memulai:',
    button: 'Masuk',
    validity: (duration) => `Kode dan tautan berfungsi sekali, selama ${duration}.`,
    onlyAt: (host) =>
      `Masukkan kode hanya di ${host}. Jangan berikan kepada siapa pun, termasuk orang yang mengaku bekerja untuk kami.`,
    requestedFrom: (origin) => `Diminta dari: ${origin}`,
    ignore:
      'Jika Anda tidak memintanya, abaikan pesan ini. Tidak ada yang dapat masuk tanpa pesan ini.',
  },
}
