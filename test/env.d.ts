declare namespace Cloudflare {
  interface Env {
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    TEST_USER_RATE_LIMIT: RateLimit
    TEST_CLIENT_RATE_LIMIT: RateLimit
    TEST_AUDIT: R2Bucket
    TEST_STEPPED_USERS: Env['USERS']
    TEST_BOUND_USERS: Env['USERS']
    TEST_TOTP_USERS: Env['USERS']
    TEST_DEMANDED_TOTP_USERS: Env['USERS']
  }
}

declare module '*?raw' {
  const text: string

  // biome-ignore lint/style/noDefaultExport: Vite exports a file imported as text as the default.
  export default text
}

interface ImportMeta {
  glob<T>(
    pattern: string | string[],
    options: { query?: string; import?: string; eager: true },
  ): Record<string, T>
}
