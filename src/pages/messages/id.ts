import type { Messages } from './en.ts'

export const id: Messages = {
  language: 'id',
  languageName: 'Bahasa Indonesia',
  signIn: {
    title: 'Masuk',
    titleFor: (app) => `Masuk ke ${app}`,
    lead: 'Pilih cara masuk.',
    signInWith: (provider) => `Masuk dengan ${provider}`,
    privacyNote:
      'Sandi Anda tetap berada di platform. Platform hanya membagikan data yang Anda izinkan.',
    inAppBrowserWarning: 'Proses masuk sering gagal di dalam aplikasi lain.',
    openInBrowser: 'Buka di browser Anda',
    signInWithQrCode: 'Masuk dengan kode QR',
    lastUsed: 'Terakhir digunakan',
  },
  qr: {
    lead: (provider) => `Pindai kode ini dengan aplikasi ${provider} di ponsel Anda.`,
    scanned: 'Sekarang konfirmasikan di ponsel Anda.',
    expired: 'Kode ini sudah kedaluwarsa.',
    warning:
      'Pindai hanya kode yang Anda minta sendiri: kode itu membuka akun Anda di layar yang menampilkannya.',
  },
  signedIn: {
    title: 'Anda sudah masuk',
    as: (name) => `Anda masuk sebagai ${name}.`,
    unnamedUser: 'pengguna tanpa nama',
    continue: 'Lanjutkan',
    continueAs: (name) => `Lanjutkan sebagai ${name}`,
    continueTo: (app) => `Lanjutkan ke ${app}`,
    useAnotherAccount: 'Atau gunakan akun lain:',
  },
  stepUp: {
    signInTitle: 'Silakan masuk lagi',
    signInLead:
      'Untuk melanjutkan, konfirmasikan bahwa ini memang Anda. Anda juga dapat menggunakan akun lain.',
    permissionTitle: (app) => `${app} memerlukan izin lain`,
    permissionLead: 'Masuk lagi dengan akun yang sama, lalu izinkan hal berikut di sana:',
  },
  signOut: {
    title: 'Keluar dari akun?',
    lead: 'Anda harus masuk lagi di semua aplikasi yang menggunakan layanan masuk ini.',
    confirm: 'Keluar',
    staySignedIn: 'Tetap masuk',
  },
  signedOut: {
    title: 'Anda sudah keluar',
    lead: 'Anda mungkin masih masuk di platform yang Anda gunakan untuk masuk di sini.',
  },
  consent: {
    title: (app) => `Izinkan ${app} menggunakan akun Anda?`,
    permissionsHeading: 'Aplikasi ini akan dapat',
    scopes: {
      openid: 'mengenali Anda',
      profile: 'melihat nama dan foto Anda',
      email: 'melihat alamat email Anda',
      platform: 'melihat data yang dibagikan platform tentang Anda, seperti jumlah pengikut Anda',
      offline_access: 'melakukannya meskipun Anda tidak sedang menggunakan aplikasi',
      'user.info.profile': 'melihat nama pengguna, bio, dan tautan profil Anda',
      'user.info.stats': 'melihat jumlah pengikut, suka, dan video Anda',
      'video.list': 'melihat video publik Anda',
    },
    useApi: (api) => `menggunakan ${api}`,
    optional:
      'Hapus centang pada hal yang tidak ingin Anda izinkan. Fitur aplikasi mungkin menjadi lebih sedikit.',
    returnsTo: (host) => `Setelah itu, Anda akan kembali ke ${host}.`,
    lasts: (duration) => `Tanpa masuk lagi, aplikasi memiliki akses ini paling lama ${duration}.`,
    revocable: 'Anda dapat menghapusnya kapan saja di halaman akun Anda.',
    approve: 'Izinkan',
    deny: 'Batal',
  },
  continuing: { title: 'Hampir selesai' },
  account: {
    title: 'Akun Anda',
    accountsHeading: 'Cara masuk',
    noAccounts: 'Belum ada akun yang ditautkan.',
    addedOn: (date) => `ditambahkan pada ${date}`,
    disconnect: (provider) => `Putuskan tautan ${provider}`,
    onlyMethod:
      'Satu-satunya cara Anda masuk. Untuk menghapusnya, tambahkan cara lain terlebih dahulu.',
    removal: {
      title: (provider) => `Putuskan tautan ${provider}?`,
      effect: 'Anda tidak dapat lagi masuk di sini dengan akun ini. Akunnya sendiri tidak dihapus.',
      sessions:
        'Anda keluar dari semua sesi, untuk berjaga-jaga jika orang lain pernah masuk dengan cara ini. Setelah itu, masuk lagi dengan cara lain.',
      keep: 'Pertahankan',
      doneTitle: (provider) => `Tautan ${provider} telah diputus`,
      signedOut: 'Anda telah keluar dari semua sesi.',
      signInOtherwise: 'Masuk lagi dengan cara lain.',
      unknownTitle: 'Cara masuk ini tidak ada di akun Anda',
      unknown: 'Mungkin sudah dihapus.',
    },
    link: (provider) => `Tautkan ${provider}`,
    linkAnother: (provider) => `Tautkan akun ${provider} lain`,
    sessionsHeading: 'Perangkat tempat Anda masuk',
    unknownBrowser: 'Browser tidak dikenal',
    thisBrowser: 'browser ini',
    signedInOn: (date) => `masuk pada ${date}`,
    lastUsedOn: (date) => `terakhir digunakan pada ${date}`,
    usedFor: (apps) => `digunakan untuk ${apps}`,
    showMore: (count) => `Tampilkan ${count} lagi`,
    endSession: 'Akhiri sesi',
    endOtherSessions: 'Keluar dari semua sesi lain',
    consentsHeading: 'Aplikasi yang Anda beri akses',
    noConsents: 'Belum ada.',
    withdrawConsent: 'Hapus akses',
    dataNote:
      'File JSON berisi profil, cara masuk, sesi, izin aplikasi, dan catatan keamanan Anda.',
    downloadData: 'Unduh data Anda',
    deleteAccount: 'Hapus akun Anda',
    deleteLead: 'Tindakan ini tidak dapat dibatalkan. Jika Anda menghapus akun:',
    deleteEffects: {
      data: 'Nama, foto, alamat email, dan semua cara masuk Anda dihapus dari layanan ini.',
      accounts: (services) => `Akun Anda di layanan lain (${services}) tidak dihapus.`,
      sessions:
        'Anda keluar dari semua sesi, dan tidak ada aplikasi yang dapat menggunakan akun Anda lagi.',
      apps: 'Aplikasi tetap menyimpan data yang sudah dimilikinya. Mintalah mereka menghapusnya.',
      records: (duration) =>
        `Catatan keamanan akun ini, seperti waktu masuk, disimpan selama ${duration}, tanpa nama Anda.`,
      later: 'Jika nanti Anda masuk lagi, Anda akan mendapatkan akun baru yang kosong.',
    },
    deletePermanently: 'Hapus permanen',
    keepAccount: 'Pertahankan akun Anda',
    deletedTitle: 'Akun Anda telah dihapus',
    deletedText:
      'Platform mungkin masih mencantumkan layanan ini di antara aplikasi yang terhubung. Anda juga dapat menghapusnya di sana.',
  },
  actions: {
    tryAgain: 'Coba lagi',
    goBack: 'Kembali ke halaman asal',
    goToSignIn: 'Buka halaman masuk',
    keepCurrentAccount: 'Tetap gunakan akun saat ini',
    switchAccount: 'Masuk dengan akun yang satu lagi',
    useDifferentAccount: 'Gunakan akun lain',
    chooseProvider: 'Pilih cara masuk lain',
    goToAccount: 'Buka akun Anda',
    checkAgain: 'Periksa lagi',
  },
  footer: {
    privacyPolicy: 'Kebijakan privasi',
    terms: 'Ketentuan layanan',
    language: 'Bahasa',
  },
  errorPage: {
    code: 'Kode',
    reference: 'Referensi',
  },
  errors: {
    access_denied: {
      title: 'Proses masuk dibatalkan',
      text: 'Anda membatalkannya, atau platform tidak mengizinkan akun ini masuk ke aplikasi lain. Tidak ada yang berubah. Jika Anda tidak sengaja membatalkannya, coba lagi.',
    },
    account_taken: {
      title: 'Akun ini ditautkan ke pengguna lain',
      text: 'Satu akun hanya dapat ditautkan ke satu pengguna. Jika pengguna itu juga Anda, masuk dengan akun ini, putuskan tautannya di halaman akun Anda, lalu tautkan lagi di sini.',
    },
    already_signed_in: {
      title: 'Anda sudah masuk dengan akun lain',
      text: 'Browser ini sedang menggunakan akun yang berbeda. Pilih akun mana yang ingin Anda gunakan.',
    },
    attempt_missing: {
      title: 'Proses masuk ini tidak dapat diselesaikan',
      text: 'Prosesnya terlalu lama, sudah selesai, atau dimulai di browser lain. Silakan mulai lagi.',
    },
    client_unknown: {
      title: 'Aplikasi ini tidak terdaftar',
      text: 'Aplikasi yang mengarahkan Anda ke sini tidak terdaftar di layanan ini (client_id). Laporkan hal ini kepada pengelola aplikasi tersebut: hanya mereka yang dapat memperbaikinya.',
    },
    code_expired: {
      title: 'Konfirmasi sudah kedaluwarsa',
      text: 'Platform telah mengonfirmasi proses masuk Anda, tetapi konfirmasinya kedaluwarsa atau terpakai sebelum dapat kami periksa. Silakan masuk lagi.',
    },
    configuration: {
      title: 'Layanan ini tidak dikonfigurasi dengan benar',
      text: 'Ini bukan kesalahan Anda. Tidak ada yang dapat masuk sampai pengelola layanan ini memperbaiki pengaturannya. Kirimkan referensi di bawah ini kepadanya.',
    },
    credentials_rejected: {
      title: 'Data yang dimasukkan salah',
      text: 'Kode atau data yang Anda masukkan untuk masuk tidak benar. Periksa kembali, lalu coba lagi.',
    },
    cross_site: {
      title: 'Permintaan ini berasal dari situs lain',
      text: 'Demi melindungi akun Anda, permintaan ini tidak dijalankan. Jika Anda memang ingin melakukannya, buka halaman masuk atau halaman akun Anda dan lakukan di sana.',
    },
    id_token_hint_refused: {
      title: 'Aplikasi tidak dapat mengeluarkan Anda dari akun',
      text: 'Aplikasi tidak mengirim id_token_hint yang valid, sehingga kami tidak dapat memeriksa permintaannya. Anda mungkin masih masuk: keluarlah di sini. Pengelola aplikasi dapat memperbaikinya.',
    },
    internal: {
      title: 'Terjadi masalah di pihak kami',
      text: 'Ini bukan kesalahan Anda. Silakan coba lagi. Jika terulang, kirimkan referensi di bawah ini kepada pengelola layanan ini.',
    },
    method_not_allowed: {
      title: 'Halaman ini tidak dapat dibuka seperti ini',
      text: 'Alamat ini milik sebuah formulir atau aplikasi dan tidak menerima jenis permintaan ini. Mulai lagi di halaman masuk atau di halaman akun Anda. Jika sebuah aplikasi mengarahkan Anda ke sini, laporkan hal ini kepada pengelolanya.',
    },
    not_allowed: {
      title: 'Anda tidak dapat masuk dengan akun ini',
      text: 'Pengelola layanan ini tidak mengizinkan akun ini. Gunakan akun lain, atau hubungi pengelola dan sertakan kode serta referensi di bawah ini.',
    },
    not_eligible: {
      title: 'Akun ini belum dapat masuk di sini',
      text: 'Untuk saat ini, platform hanya mengizinkan akun uji tertentu masuk di sini. Gunakan akun lain, atau minta pengelola layanan ini menambahkan akun Anda.',
    },
    not_found: {
      title: 'Halaman tidak ditemukan',
      text: 'Tidak ada halaman di alamat ini. Pastikan alamatnya ditulis dengan benar, atau lanjutkan di halaman masuk atau di halaman akun Anda.',
    },
    passkey_rejected: {
      title: 'Kunci sandi ini tidak diterima',
      text: 'Kunci sandi ini tidak terdaftar di sini atau tidak dapat diverifikasi. Tidak ada yang berubah. Coba kunci sandi lain, atau masuk dengan cara lain dan periksa kunci sandi di halaman akun Anda.',
    },
    post_logout_redirect_uri_refused: {
      title: 'Proses keluar dihentikan',
      text: 'Aplikasi ingin mengarahkan Anda ke alamat yang tidak didaftarkannya (post_logout_redirect_uri). Anda mungkin masih masuk: keluarlah di sini. Pengelola aplikasi dapat memperbaikinya.',
    },
    provider_invalid: {
      title: 'Platform mengirim respons yang tidak valid',
      text: 'Kami tidak dapat memverifikasi identitas Anda, sehingga Anda belum masuk. Silakan coba lagi. Jika terulang, kirimkan referensi di bawah ini kepada pengelola layanan ini.',
    },
    provider_misconfigured: {
      title: 'Opsi masuk ini tidak berfungsi',
      text: 'Ini bukan kesalahan Anda, dan mencoba lagi tidak akan membantu: hanya pengelola layanan ini yang dapat memperbaikinya. Kirimkan referensi di bawah ini kepadanya. Jika Anda juga dapat masuk dengan cara lain, gunakan cara itu.',
    },
    provider_refused: {
      title: 'Platform tidak menerima permintaan kami',
      text: 'Ini bukan kesalahan Anda, dan hanya pengelola layanan ini yang dapat memperbaikinya. Kirimkan referensi di bawah ini kepadanya.',
    },
    provider_unavailable: {
      title: 'Platform tidak merespons',
      text: 'Platform sedang kelebihan beban atau mengalami gangguan sementara, sehingga Anda belum masuk. Silakan coba lagi dalam satu menit.',
    },
    provider_unknown: {
      title: 'Opsi masuk ini tidak ada',
      text: 'Platform yang disebutkan di alamat ini tidak tersedia di sini. Buka halaman masuk untuk melihat yang tersedia.',
    },
    redirect_uri_refused: {
      title: 'Aplikasi ini tidak dapat menerima hasil proses masuk Anda',
      text: 'Aplikasi ini meminta hasilnya dikirim ke alamat yang tidak didaftarkannya (redirect_uri). Laporkan hal ini kepada pengelola aplikasi tersebut: hanya mereka yang dapat memperbaikinya.',
    },
    request_invalid: {
      title: 'Permintaan ini tidak valid',
      text: 'Ada bagian yang hilang, berulang, atau salah format. Kembali ke aplikasi dan mulai lagi. Jika terulang, laporkan hal ini kepada pengelola aplikasi tersebut.',
    },
    request_too_large: {
      title: 'Permintaan ini terlalu besar',
      text: 'Alamat, formulir, atau cookie yang dikirim browser Anda terlalu panjang. Hapus cookie situs ini, lalu kembali ke aplikasi dan mulai lagi.',
    },
    return_url_refused: {
      title: 'Tautan ini mengarah ke situs yang tidak dikenal',
      text: 'Setelah masuk, Anda akan diarahkan ke alamat yang tidak terdaftar di layanan ini (callbackUrl), sehingga kami berhenti di sini. Jika Anda mendapatkan tautan ini dari sebuah aplikasi, laporkan hal ini kepada pengelolanya.',
    },
    scope_missing: {
      title: 'Izin yang diperlukan tidak ada',
      text: 'Di halaman platform, Anda menonaktifkan izin yang diperlukan di sini. Silakan masuk lagi dan biarkan izin itu aktif.',
    },
    sign_in_again: {
      title: 'Masuk lagi terlebih dahulu',
      text: 'Demi melindungi akun Anda, perubahan memerlukan proses masuk yang baru, meskipun Anda baru saja masuk. Masuk lagi, lalu ulangi perubahannya dalam sepuluh menit.',
    },
    too_many_guesses: {
      title: 'Terlalu banyak percobaan yang salah',
      text: 'Data yang Anda masukkan terlalu sering salah, jadi proses masuk ini dihentikan untuk melindungi akun. Tunggu sebentar, lalu mulai lagi.',
    },
    too_many_requests: {
      title: 'Terlalu banyak permintaan',
      text: 'Alamat jaringan Anda mengirim terlalu banyak permintaan dalam waktu singkat. Tunggu satu menit, lalu coba lagi.',
    },
    unavailable: {
      title: 'Saat ini tidak tersedia',
      text: 'Layanan ini mengalami gangguan sementara dan tidak dapat menyelesaikan permintaan Anda. Jika Anda sedang mengubah sesuatu, perubahannya mungkin belum lengkap. Silakan coba lagi dalam satu menit.',
    },
    user_blocked: {
      title: 'Akun Anda diblokir',
      text: 'Pengelola layanan ini telah memblokir akun Anda, sehingga Anda tidak dapat masuk dengan akun tersebut. Jika menurut Anda ini keliru, hubungi pengelola dan sertakan referensi di bawah ini.',
    },
  },
}
