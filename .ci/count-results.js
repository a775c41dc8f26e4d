import { existsSync, readFileSync } from 'node:fs'

// Prints the sum of the tests and of the soak as one line, which ends the output of .ci/run.
const [folder, status] = process.argv.slice(2)
const report = read('test.json', JSON.parse) ?? {
  numPassedTests: 0,
  numFailedTests: 1,
  numPendingTests: 0,
}
const [, soakPassed = 0, soakFailed = 1] =
  read('soak.txt', (text) => text.match(/(\d+) passed, (\d+) failed\s*$/)) ?? []

const passed = report.numPassedTests + Number(soakPassed)
const failed = report.numFailedTests + Number(soakFailed)
const pending = report.numPendingTests
const skipped = pending > 0 ? `, ${pending} skipped` : ''
// A run that failed outside of its tests counts as one failed test.
console.log(`${passed} passed, ${Math.max(failed, status === '0' ? 0 : 1)} failed${skipped}`)

function read(name, parse) {
  const path = `${folder}/${name}`
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : undefined
}
