import { runCommand } from './run-command.ts'

// The output may be read by a program that ends early, such as `head`.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await runCommand(process.argv.slice(2))
