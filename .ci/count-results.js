import { existsSync, readFileSync } from 'node:fs'

// Prints the number of the tests as one line, which ends the output of .ci/run.
const [folder, status] = process.argv.slice(2)
const path = `${folder}/test.json`
const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
const {
  numPassedTests: passed = 0,
  numFailedTests: failed = 1,
  numPendingTests: pending = 0,
} = report
const skipped = pending > 0 ? `, ${pending} skipped` : ''
// A run that failed outside of its tests counts as one failed test.
console.log(`${passed} passed, ${Math.max(failed, status === '0' ? 0 : 1)} failed${skipped}`)
