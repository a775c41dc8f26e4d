#!/usr/bin/env node
// Plain JavaScript, which every Node reads. The rest is TypeScript, for the Node that `npm install` brings along.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = new URL('../doctor/main.ts', import.meta.url)

if (process.features.typescript) await import(program.href)
else process.exitCode = runWithOwnNode()

function runWithOwnNode() {
  const own = ['node', 'node.exe']
    .map((name) => fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url)))
    .find((path) => existsSync(path))
  if (!own) {
    process.stderr.write('Run `npm install` first: it brings the Node that this needs.\n')
    return 2
  }
  const { status } = spawnSync(own, [fileURLToPath(program), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return status ?? 1
}
