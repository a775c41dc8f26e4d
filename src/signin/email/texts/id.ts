import type { EmailTexts } from './en.ts'

export const id: EmailTexts = {
  name: 'Email',
  method: 'email',
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
    tooMany: (duration) => `Terlalu banyak pesan yang diminta. Coba lagi dalam ${duration}.`,
    linkTitle: 'Tambahkan alamat email',
    linkAnother: 'Tambahkan alamat email lain',
    linkLead: 'Setelah itu, Anda dapat masuk dengan kode yang kami kirim ke alamat ini.',
    linkConfirm: 'Tambahkan alamat ini',
  },
  code: {
    title: 'Periksa email Anda',
    linkTitle: 'Konfirmasikan alamat email Anda',
    lead: (address) =>
      `Kami telah mengirim pesan ke ${address}. Masukkan kode enam digit dari pesan itu di sini, atau buka tautannya di browser ini.`,
    label: 'Kode enam digit',
    wrong: (remaining) => `Kode itu salah. Sisa percobaan: ${remaining}.`,
    notArrived: 'Belum ada pesan setelah satu menit? Periksa alamat dan folder spam Anda.',
    sendAgain: 'Kirim lagi',
    sentAgain: 'Kami telah mengirim pesan itu lagi. Kodenya tetap sama.',
    wait: 'Tunggu setengah menit sebelum meminta pesan dikirim lagi.',
    otherAddress: 'Gunakan alamat lain',
  },
  link: {
    title: 'Selesaikan proses masuk',
    lead: (address) => `Tekan tombol di bawah untuk masuk dengan ${address}.`,
    linkLead: (address) => `Tekan tombol di bawah untuk menambahkan ${address} ke akun Anda.`,
  },
  elsewhere: {
    title: 'Masukkan kode di tempat Anda memulai',
    lead: 'Tautan ini berfungsi sekali, dan hanya di browser tempat Anda memintanya. Kembalilah ke sana dan masukkan kode enam digit dari pesan.',
    startedIn: (browser) => `Diminta di: ${browser}`,
    warning:
      'Jika Anda tidak memintanya, abaikan pesan itu dan jangan berikan kodenya kepada siapa pun: siapa pun yang memilikinya dapat masuk ke akun Anda.',
  },
  message: {
    subject: (app) => `Kode Anda untuk masuk ke ${app}`,
    lead: (app) => `Kode Anda untuk masuk ke ${app}:`,
    linkSubject: (host) => `Kode Anda untuk menambahkan alamat ini di ${host}`,
    linkLead: (host) => `Kode Anda untuk menambahkan alamat ini ke akun Anda di ${host}:`,
    link: 'Atau buka tautan ini di browser tempat Anda meminta kode:',
    button: 'Masuk',
    validity: (duration) =>
      `Gunakan kode atau tautan (salah satu saja), hanya satu kali. Berlaku selama ${duration}.`,
    onlyAt: (host) =>
      `Masukkan kode hanya di ${host}. Jangan berikan kepada siapa pun, termasuk orang yang mengaku bekerja untuk kami.`,
    requestedFrom: (origin) => `Diminta dari: ${origin}`,
    ignore:
      'Jika Anda tidak memintanya, abaikan pesan ini. Tanpa kode itu, tidak akan terjadi apa-apa.',
  },
}
