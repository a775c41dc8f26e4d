import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

const port = Number(process.env.PORT ?? 3000)

export default defineConfig({
  plugins: [sveltekit()],
  server: { port, strictPort: true },
  preview: { port, strictPort: true },
})
