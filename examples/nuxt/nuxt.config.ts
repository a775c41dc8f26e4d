export default defineNuxtConfig({
  compatibilityDate: '2026-09-01',
})
