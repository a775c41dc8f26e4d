// The application behind the proxy, which starts the proxy.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const app = createServer((request, response) => {
  response.end(JSON.stringify({ sub: request.headers['x-forwarded-user'] }))
})
app.listen(0, 'localhost', () => {
  const UPSTREAM = `http://localhost:${app.address().port}/`
  spawn('sh', ['start.sh'], { env: { ...process.env, UPSTREAM }, stdio: 'inherit' })
})
