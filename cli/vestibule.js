#!/usr/bin/env node
// This file is JavaScript so that any Node can start it. In the package, the commands are compiled. In a clone of the
// repository they are TypeScript, which needs no build but a Node that strips types; `npm install` installs one as the
// dependency `node`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The commands and wrangler need it. */
const MIN_NODE_VERSION = 22

const source = new URL('./main.ts', import.meta.url)

if (existsSync(source)) {
  if (process.features.typescript) {
    await import('./load-jsx.ts')
    await import(source.href)
  } else process.exitCode = runWithInstalledNode()
} else if (Number.parseInt(process.versions.node, 10) < MIN_NODE_VERSION) {
  process.stderr.write(
    `Vestibule needs Node ${MIN_NODE_VERSION} or newer; this is ${process.versions.node}.\n`,
  )
  process.exitCode = 2
} else {
  await import('../dist/cli/main.js')
}

function runWithInstalledNode() {
  const executable = ['node', 'node.exe']
    .map((name) => fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url)))
    .find((path) => existsSync(path))
  if (!executable) {
    process.stderr.write(
      `Node ${process.versions.node} cannot run TypeScript. Run \`npm install\` first: it installs a Node that can.\n`,
    )
    return 2
  }
  const { status } = spawnSync(executable, process.argv.slice(1), { stdio: 'inherit' })
  return status ?? 1
}
