import { runCommand } from './run-command.ts'

// The output may be read by a program that ends early, such as `head`.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error
  process.exit()
})

const [name, ...args] = process.argv.slice(2)
process.exitCode = await runCommand(name, args)
