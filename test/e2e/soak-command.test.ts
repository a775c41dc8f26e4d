import { describe, expect, it } from 'vitest'
import { runCommand } from './vestibule.ts'

describe('npm run soak', () => {
  it('prints its parts and options with --help', async () => {
    const { output, status } = await soak('--help')

    expect(status).toBe(0)
    expect(output).toContain('Usage: npm run soak')
    for (const part of ['races', 'block', 'forgeries', 'model', 'crash', 'load'])
      expect(output).toContain(part)
  })

  it.each([
    [['--only', 'weather'], 'weather'],
    [['--rate', 'x'], 'x is not a positive number'],
    [['extra'], 'extra'],
  ])('rejects %j and prints its usage', async (flags, message) => {
    const { stderr, status } = await soak(...flags)

    expect(status).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain('Usage: npm run soak')
  })
})

function soak(...flags: string[]) {
  return runCommand(process.execPath, ['test/soak/run.ts', ...flags])
}
