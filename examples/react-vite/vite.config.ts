import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The address that is registered at the login service.
const port = 5173

export default defineConfig({
  plugins: [react()],
  server: { port, strictPort: true },
  preview: { port, strictPort: true },
})
