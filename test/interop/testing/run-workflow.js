import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// Runs the commands of the workflow, except those that install something.
const workflow = readFileSync('.github/workflows/test.yml', 'utf8')
const commands = Array.from(workflow.matchAll(/- run: (.*)/g), ([, command]) => command)
const tests = commands.filter((command) => !/npm ci|install/.test(command))
if (tests.length !== 2) throw new Error(`The workflow has ${tests.length} commands with tests.`)
// The recipes have the addresses.
const { API_URL, PORT, ...env } = process.env
for (const command of tests) execSync(command, { stdio: 'inherit', env })
