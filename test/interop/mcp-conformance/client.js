import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

const { ISSUER, MCP_URL, PORT, CLIENT_METADATA_URL, BROWSER } = process.env

const suite = spawn(process.execPath, [
  'node_modules/@modelcontextprotocol/conformance/dist/index.js',
  'authorization',
  ...['--url', ISSUER, '--client-id', CLIENT_METADATA_URL, '--resource', MCP_URL, '--port', PORT],
])
let output = ''
suite.stderr.pipe(process.stderr)
for await (const chunk of suite.stdout.setEncoding('utf8')) {
  process.stdout.write(chunk)
  output += chunk
  const [url] = output.match(/^http\S+\/oidc\/authorize\S+$/m) ?? []
  if (url && chunk.includes('Callback server started')) execFileSync(BROWSER, [url])
}
const [status] = suite.exitCode === null ? await once(suite, 'exit') : [suite.exitCode]
if (status !== 0 || /WARNING|FAILURE|SKIPPED/.test(output)) throw new Error('Not without warnings.')
