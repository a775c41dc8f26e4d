import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

// Prints the files that .ci/run runs again: those with failed tests, if they are few, and if none of them found a counterexample to a
// property, which another run would not look for again.
const MAX_FILES = 3
const COUNTEREXAMPLE = 'Property failed after'

// Without a report, the run has failed as a whole.
const [path] = process.argv.slice(2)
const { testResults } = existsSync(path)
  ? JSON.parse(readFileSync(path, 'utf8'))
  : { testResults: [] }
const failed = testResults.filter(({ status }) => status === 'failed')
const messages = failed.flatMap(({ message, assertionResults }) => [
  message,
  ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
])
const isFinding = messages.some((message) => message?.includes(COUNTEREXAMPLE))
if (failed.length <= MAX_FILES && !isFinding) {
  console.log(failed.map(({ name }) => relative('.', name)).join(' '))
}
