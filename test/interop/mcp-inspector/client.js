import { execFileSync } from 'node:child_process'

const { MCP_URL, PORT, CLIENT_METADATA_URL } = process.env

const env = {
  ...process.env,
  HOME: process.cwd(), // where it keeps tokens
  MCP_AUTO_OPEN_ENABLED: 'true', // opens a browser, although nobody is at a terminal
  MCP_INSPECTOR_SECRET_STORE: 'file',
}

function inspect(...args) {
  const flags = ['--callback-url', `http://127.0.0.1:${PORT}/callback`, '--format', 'json']
  const output = execFileSync(
    process.execPath,
    ['node_modules/.bin/mcp-inspector', '--cli', MCP_URL, ...flags, ...args],
    // It asks whether to request a further scope.
    { encoding: 'utf8', env, input: 'y\n', stdio: ['pipe', 'pipe', 'inherit'] },
  )
  process.stdout.write(output)
  return output
}

for (const flags of [['--client-metadata-url', CLIENT_METADATA_URL], []]) {
  // Ends the grant of the client before (RFC 7009).
  const tools = inspect('--relogin', '--method', 'tools/list', ...flags)
  if (!tools.includes('list_orders')) throw new Error('There is no tool list_orders.')
  const call = ['--method', 'tools/call', '--tool-name']
  const orders = inspect(...call, 'list_orders', ...flags)
  if (!orders.includes('A-1042')) throw new Error('There are no orders.')
  // Version 2.12.0 handles a 403 only if a client id or metadata document is configured
  // (`directAuthRecovery` in core/client/runner.ts, line 23667 of clients/cli/build/index.js).
  // Otherwise it takes it for a 401, refreshes its token, and fails because it expected to have to
  // ask the user (core/mcp/oauthManager.ts, line 15672).
  if (flags.length === 0) continue
  const order = inspect(...call, 'cancel_order', '--tool-arg', 'id=A-1042', ...flags)
  if (!order.includes('cancelled')) throw new Error('The order was not cancelled.')
}
