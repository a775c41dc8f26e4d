#!/usr/bin/env node
// This file is JavaScript so that any Node can start it. Everything else is TypeScript and needs a Node that can strip
// types; `npm install` installs one as the dependency `node`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../doctor/main.ts', import.meta.url)

if (process.features.typescript) await import(main.href)
else process.exitCode = runWithInstalledNode()

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
  const { status } = spawnSync(executable, [fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return status ?? 1
}
