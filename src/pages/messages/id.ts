import type { Messages } from './en.ts'

export const id: Messages = {
  language: 'id',
  languageName: 'Bahasa Indonesia',
  signIn: {
    title: 'Masuk',
    titleFor: (app) => `Masuk ke ${app}`,
    lead: 'Pilih cara masuk.',
    signInWith: (provider) => `Masuk dengan ${provider}`,
    privacyNote: (provider) =>
      provider
        ? `Sandi Anda tetap berada di ${provider}. ${provider} hanya membagikan data yang Anda izinkan.`
        : 'Sandi Anda tetap berada di layanan tersebut. Layanan itu hanya membagikan data yang Anda izinkan.',
    inAppBrowserWarning:
      'Anda membuka halaman ini di dalam aplikasi lain. Di sana proses masuk sering gagal.',
    openInBrowser: 'Buka di browser Anda',
    signInWithQrCode: (provider) => `Pindai kode QR dengan aplikasi ${provider}`,
    or: 'atau',
    newUserNote: 'Baru di sini? Akun Anda dibuat saat Anda masuk.',
    lastUsed: 'Terakhir digunakan',
    sessionEnded:
      'Anda tidak lagi masuk di browser ini: mungkin Anda keluar melalui browser lain atau sudah lama tidak menggunakan browser ini.',
  },
  qr: {
    lead: (provider) => `Pindai kode ini dengan aplikasi ${provider} di ponsel Anda.`,
    scanned: 'Sekarang konfirmasikan proses masuk di ponsel Anda.',
    expired: 'Kode ini sudah kedaluwarsa.',
    newCode: 'Tampilkan kode baru',
    warning:
      'Pindai hanya kode yang Anda minta sendiri: perangkat yang menampilkannya akan masuk ke akun Anda.',
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
    signInTitle: 'Konfirmasikan bahwa ini Anda',
    signInLead: (change) =>
      change
        ? `Demi melindungi akun Anda, “${change}” mengharuskan Anda masuk lagi, meskipun Anda baru saja masuk.`
        : 'Demi melindungi akun Anda, silakan masuk sekali lagi sebelum melanjutkan.',
    confirmedLater: 'Tidak ada yang berubah sebelum Anda mengonfirmasinya di halaman berikutnya.',
    permissionTitle: (app) => `${app} meminta izin tambahan`,
    permissionLead: 'Masuk lagi, lalu izinkan hal berikut di halaman yang terbuka:',
    permissionLeadWith: (provider) =>
      `Masuk lagi dengan ${provider}, lalu izinkan hal berikut di halaman yang terbuka:`,
  },
  signOut: {
    title: 'Keluar dari akun?',
    lead: 'Anda harus masuk lagi di semua aplikasi yang menggunakan layanan masuk ini.',
    confirm: 'Keluar',
    staySignedIn: 'Tetap masuk',
  },
  signedOut: {
    title: 'Anda sudah keluar',
    lead: (provider) => `Anda mungkin masih masuk di ${provider}.`,
  },
  consent: {
    title: (app) => `Izinkan ${app} menggunakan akun Anda?`,
    permissionsHeading: 'Aplikasi ini akan dapat:',
    scopes: {
      openid: 'mengenali Anda saat Anda kembali',
      profile: 'melihat nama, nama pengguna, foto, dan tautan profil Anda',
      email: 'melihat alamat email Anda',
      platform:
        'melihat data yang dibagikan tentang Anda oleh layanan yang Anda gunakan untuk masuk, seperti jumlah pengikut Anda',
      offline_access: 'tetap memiliki akses ini meskipun Anda tidak sedang menggunakan aplikasi',
      'user.info.profile': 'melihat nama pengguna, bio, dan tautan profil Anda',
      'user.info.stats': 'melihat jumlah pengikut, suka, dan video Anda',
      'video.list': 'melihat video publik Anda',
    },
    noEmail: 'belum ada; berlaku juga untuk alamat yang Anda tambahkan nanti',
    useApi: (api) => `menggunakan ${api}`,
    alwaysIncluded: 'Selalu disertakan',
    optional:
      'Hapus centang pada hal yang tidak ingin Anda izinkan. Fitur aplikasi mungkin menjadi lebih sedikit.',
    returnsTo: (host) => `Setelah itu, Anda akan kembali ke ${host}.`,
    lasts: (duration) =>
      `Aplikasi memiliki akses ini paling lama ${duration} setelah Anda terakhir kali masuk ke aplikasi tersebut.`,
    revocable: 'Anda dapat menghapusnya kapan saja di halaman akun Anda.',
    approve: 'Izinkan',
    deny: 'Jangan izinkan',
  },
  continuing: {
    title: 'Lanjutkan untuk menyelesaikan proses masuk',
    lead: 'Jika tidak terjadi apa-apa, tekan tombol di bawah.',
  },
  account: {
    title: 'Akun Anda',
    done: {
      linked: (provider) => `Sekarang Anda dapat masuk dengan ${provider}.`,
      alreadyLinked: (provider) =>
        `Akun ${provider} ini sudah ditautkan. Untuk menautkan akun lain, ganti akun di ${provider} terlebih dahulu.`,
      passkeyAdded: 'Kunci sandi telah ditambahkan.',
      passkeyRenamed: 'Nama kunci sandi telah diubah.',
      sessionEnded: (device) => `Anda telah keluar dari sesi tersebut (${device}).`,
      otherSessionsEnded: 'Anda telah keluar dari semua sesi lain.',
      consentWithdrawn: (app) =>
        `${app} tidak dapat lagi menggunakan akun Anda, tetapi tetap menyimpan data yang sudah dimilikinya.`,
      confirmed: (change) =>
        change
          ? `Terima kasih. Sekarang Anda punya waktu sepuluh menit untuk “${change}”.`
          : 'Terima kasih. Sekarang ulangi apa yang ingin Anda lakukan. Anda punya waktu sepuluh menit.',
    },
    created: 'Akun baru Anda dibuat saat Anda masuk.',
    accountsHeading: 'Cara masuk',
    noAccounts: 'Belum ada akun yang ditautkan.',
    addedOn: (date) => `ditambahkan pada ${date}`,
    disconnect: (provider) => `Putuskan tautan ${provider}`,
    onlyMethod:
      'Satu-satunya cara Anda untuk masuk. Untuk menghapusnya, tambahkan cara lain terlebih dahulu.',
    removal: {
      title: (provider) => `Putuskan tautan ${provider}?`,
      effect: (provider) =>
        `Anda tidak dapat lagi masuk di sini dengan akun ${provider} ini. Akun Anda di ${provider} tidak dihapus.`,
      sessions: (methods) =>
        `Demi melindungi akun Anda, Anda akan dikeluarkan dari semua sesi, termasuk sesi ini. Setelah itu, masuk lagi dengan ${methods}.`,
      doneTitle: (provider) => `Tautan ${provider} telah diputus`,
      signedOut: 'Anda telah keluar dari semua sesi.',
      signInAgain: (methods) => `Masuk lagi dengan ${methods}.`,
      unknownTitle: 'Cara masuk ini tidak ada di akun Anda',
    },
    addMethod: 'Tambahkan cara masuk',
    link: (provider) => `Tautkan ${provider}`,
    linkAnother: (provider) => `Tautkan akun ${provider} lain`,
    sessionsHeading: 'Perangkat tempat Anda masuk',
    unknownBrowser: 'Browser tidak dikenal',
    thisBrowser: 'browser ini',
    signedInOn: (date, provider) =>
      provider ? `masuk dengan ${provider} pada ${date}` : `masuk pada ${date}`,
    lastUsedOn: (date) => `terakhir digunakan pada ${date}`,
    usedFor: (apps) => `masuk ke ${apps}`,
    endOtherSessions: 'Keluar dari semua sesi lain',
    consentsHeading: 'Aplikasi yang Anda beri akses',
    noConsents: 'Belum ada aplikasi dari perusahaan lain.',
    withdrawConsent: 'Hapus akses',
    withdrawal: {
      title: (app) => `Hapus akses ${app}?`,
      effect: (app) =>
        `${app} tidak akan dapat lagi menggunakan akun Anda, tetapi tetap menyimpan data yang sudah dimilikinya.`,
      later: 'Jika Anda masuk lagi ke aplikasi ini, aplikasi akan meminta akses lagi.',
    },
    dataHeading: 'Data Anda',
    dataNote:
      'Anda dapat mengunduh file (JSON) berisi profil, cara masuk, sesi, izin aplikasi, dan catatan keamanan Anda.',
    downloadData: 'Unduh data Anda',
    deleteAccount: 'Hapus akun Anda',
    deleteLead: 'Tindakan ini tidak dapat dibatalkan. Jika Anda menghapus akun:',
    deleteEffects: {
      data: 'Profil dan semua cara masuk Anda dihapus dari layanan ini.',
      accounts: (services) => `Akun Anda di layanan lain (${services}) tidak dihapus.`,
      sessions:
        'Anda keluar dari semua sesi, dan tidak ada aplikasi yang dapat menggunakan akun Anda lagi.',
      apps: 'Aplikasi tetap menyimpan data yang sudah dimilikinya. Mintalah mereka menghapusnya.',
      records: (duration) =>
        `Catatan keamanan akun ini, seperti waktu masuk, disimpan selama ${duration}, tanpa nama Anda.`,
      later: 'Jika nanti Anda masuk lagi, Anda akan mendapatkan akun baru yang kosong.',
    },
    deletePermanently: 'Hapus permanen',
    deletedTitle: 'Akun Anda telah dihapus',
    deletedConnections: (providers) =>
      `Layanan ini mungkin masih tercantum di antara aplikasi yang terhubung di ${providers}. Anda juga dapat menghapusnya di sana.`,
  },
  actions: {
    cancel: 'Batal',
    tryAgain: 'Coba lagi',
    goBack: 'Kembali',
    goBackTo: (app) => `Kembali ke ${app}`,
    goToSignIn: 'Buka halaman masuk',
    keepCurrentAccount: 'Tetap gunakan akun saat ini',
    switchAccount: 'Masuk dengan akun yang satu lagi',
    useDifferentAccount: 'Gunakan akun lain',
    chooseProvider: 'Pilih cara masuk lain',
    goToAccount: 'Buka akun Anda',
    checkAgain: 'Periksa lagi',
    showMore: (count) => `Tampilkan ${count} lagi`,
  },
  footer: {
    privacyPolicy: (app) => `Kebijakan privasi ${app}`,
    terms: (app) => `Ketentuan layanan ${app}`,
    language: 'Bahasa',
  },
  errorPage: {
    code: 'Kode kesalahan',
    parameter: 'Parameter',
    reference: 'Referensi',
    otherAccount: (account) => `Akun yang satu lagi: ${account}`,
    contact: 'Hubungi dukungan',
  },
  errors: {
    access_denied: {
      title: 'Anda belum masuk',
      text: (provider = 'layanan yang Anda gunakan untuk masuk') =>
        `Proses masuk dibatalkan. Tidak ada yang berubah dan Anda dapat mencoba lagi kapan saja. Jika bukan Anda yang membatalkannya, mungkin ${provider} tidak mengizinkan akun ini masuk ke aplikasi lain.`,
    },
    account_taken: {
      title: 'Sudah ditautkan ke akun lain',
      text: 'Cara masuk ini sudah menjadi milik akun lain di layanan ini. Anda dapat terus menggunakan kedua akun, atau masuk dengan cara ini, putuskan tautannya di sana, lalu tautkan di sini.',
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
      text: 'Aplikasi yang mengarahkan Anda ke sini tidak terdaftar di layanan ini. Laporkan hal ini kepada pengelola aplikasi tersebut: hanya mereka yang dapat memperbaikinya.',
    },
    code_expired: {
      title: 'Konfirmasi sudah kedaluwarsa',
      text: (provider = 'Layanan yang Anda gunakan untuk masuk') =>
        `${provider} telah mengonfirmasi proses masuk Anda, tetapi konfirmasinya kedaluwarsa atau terpakai sebelum dapat kami periksa. Silakan masuk lagi.`,
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
      text: 'Permintaannya untuk mengeluarkan Anda tidak valid, sehingga tidak kami jalankan. Anda mungkin masih masuk: keluarlah di sini. Pengelola aplikasi dapat memperbaikinya.',
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
      text: (provider = 'layanan yang Anda gunakan untuk masuk') =>
        `Untuk saat ini, ${provider} hanya mengizinkan akun uji tertentu masuk di sini. Gunakan akun lain, atau minta pengelola layanan ini menambahkan akun Anda.`,
    },
    not_found: {
      title: 'Halaman tidak ditemukan',
      text: 'Tidak ada halaman di alamat ini. Pastikan alamatnya ditulis dengan benar, atau lanjutkan di halaman masuk atau di halaman akun Anda.',
    },
    passkey_rejected: {
      title: 'Kunci sandi ini tidak diterima',
      text: 'Kunci sandi ini tidak dapat diverifikasi. Tidak ada yang berubah. Coba kunci sandi lain, atau masuk dengan cara lain dan periksa kunci sandi di halaman akun Anda.',
    },
    passkey_unknown: {
      title: 'Kunci sandi ini tidak terdaftar di sini',
      text: 'Kunci sandi ini mungkin telah dihapus, atau akunnya telah dihapus. Masuk dengan cara lain. Jika perangkat Anda masih menawarkan kunci sandi ini, hapus dari sandi yang tersimpan di sana.',
    },
    post_logout_redirect_uri_refused: {
      title: 'Proses keluar dihentikan',
      text: 'Aplikasi ingin mengarahkan Anda ke alamat yang tidak didaftarkannya. Anda mungkin masih masuk: keluarlah di sini. Pengelola aplikasi dapat memperbaikinya.',
    },
    provider_invalid: {
      title: (provider = 'Layanan yang Anda gunakan untuk masuk') =>
        `${provider} mengirim respons yang tidak valid`,
      text: 'Kami tidak dapat memverifikasi identitas Anda, sehingga Anda belum masuk. Silakan coba lagi. Jika terulang, kirimkan referensi di bawah ini kepada pengelola layanan ini.',
    },
    provider_misconfigured: {
      title: 'Opsi masuk ini tidak berfungsi',
      text: 'Ini bukan kesalahan Anda, dan mencoba lagi tidak akan membantu: hanya pengelola layanan ini yang dapat memperbaikinya. Kirimkan referensi di bawah ini kepadanya. Jika Anda juga dapat masuk dengan cara lain, gunakan cara itu.',
    },
    provider_refused: {
      title: (provider = 'Layanan yang Anda gunakan untuk masuk') =>
        `${provider} tidak menerima permintaan kami`,
      text: 'Ini bukan kesalahan Anda, dan hanya pengelola layanan ini yang dapat memperbaikinya. Kirimkan referensi di bawah ini kepadanya.',
    },
    provider_unavailable: {
      title: (provider = 'Layanan yang Anda gunakan untuk masuk') => `${provider} tidak merespons`,
      text: (provider = 'Layanan yang Anda gunakan untuk masuk') =>
        `${provider} sedang kelebihan beban atau mengalami gangguan sementara, sehingga Anda belum masuk. Silakan coba lagi dalam satu menit.`,
    },
    provider_unknown: {
      title: 'Opsi masuk ini tidak ada',
      text: 'Opsi masuk yang disebutkan di alamat ini tidak tersedia di sini. Buka halaman masuk untuk melihat yang tersedia.',
    },
    redirect_uri_refused: {
      title: 'Aplikasi ini tidak dapat menerima hasil proses masuk Anda',
      text: 'Aplikasi ini meminta hasilnya dikirim ke alamat yang tidak didaftarkannya. Laporkan hal ini kepada pengelola aplikasi tersebut: hanya mereka yang dapat memperbaikinya.',
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
      text: 'Setelah masuk, Anda akan diarahkan ke alamat yang tidak terdaftar di layanan ini, sehingga kami berhenti di sini. Jika Anda mendapatkan tautan ini dari sebuah aplikasi, laporkan hal ini kepada pengelolanya.',
    },
    scope_missing: {
      title: 'Izin yang diperlukan tidak ada',
      text: (provider = 'layanan lain') =>
        `Saat masuk dengan ${provider}, Anda menonaktifkan izin yang diperlukan di sini. Silakan masuk lagi dan biarkan izin itu aktif.`,
    },
    sign_in_again: {
      title: 'Masuk lagi terlebih dahulu',
      text: 'Demi melindungi akun Anda, tindakan ini memerlukan proses masuk yang baru. Masuk lagi, lalu ulangi dalam sepuluh menit apa yang ingin Anda lakukan.',
    },
    too_many_guesses: {
      title: 'Terlalu banyak percobaan yang salah',
      text: 'Data yang Anda masukkan terlalu sering salah, jadi proses masuk ini dihentikan untuk melindungi akun. Silakan mulai lagi. Jika itu juga ditolak, tunggu 15 menit.',
    },
    too_many_requests: {
      title: 'Terlalu banyak permintaan',
      text: 'Ada terlalu banyak permintaan dari Anda atau jaringan Anda dalam waktu singkat. Tunggu satu menit, lalu coba lagi.',
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
