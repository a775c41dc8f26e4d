import { describe, expect, it } from 'vitest'
import { findHighestRate, isAcceptable } from '../soak/load.ts'
import { runCommand } from './vestibule.ts'

describe('npm run soak', () => {
  it('prints its parts and options with --help', async () => {
    const { output, status } = await soak('--help')

    expect(status).toBe(0)
    expect(output).toContain('Usage: npm run soak')
    for (const part of ['races', 'block', 'forgeries', 'model', 'crash', 'load', 'history'])
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

  it('says what to do where too few files may be open', async () => {
    const command = 'ulimit -n 1024; exec "$0" test/soak/run.ts --only load'
    const { stderr, status } = await runCommand('sh', ['-c', command, process.execPath])

    expect(status).toBe(2)
    expect(stderr).toContain('this shell allows 1024. Run `ulimit -n 4096` first')
  })
})

describe('the load of a soak', () => {
  const report = { correct: 9990, wrong: [], unavailable: [], p50: 100, p99: 500 }

  it.each([0.7, 1.5, 3, 37, 410])(
    'finds the highest rate of a machine that can do %d',
    async (limit) => {
      const rates: number[] = []
      const found = findHighestRate(async (rate) => {
        rates.push(rate)
        return { ...report, p99: rate <= limit ? 1999 : 2000 }
      })

      if (limit < 1) return expect(found).rejects.toThrow('too slow')
      const highest = await found
      expect(highest).toBeLessThanOrEqual(limit)
      expect(highest + Math.max(1, highest / 8)).toBeGreaterThanOrEqual(limit)
      expect(rates.length).toBeLessThan(12)
    },
  )

  it('does not count a rate at which sign-ins are unavailable, and stops if a response is wrong', async () => {
    const busyAbove8 = async (rate: number) => ({
      ...report,
      unavailable: rate > 8 ? ['503'] : [],
    })

    expect(await findHighestRate(busyAbove8)).toBe(8)
    await expect(
      findHighestRate(async () => ({ ...report, wrong: ['wrong state'] })),
    ).rejects.toThrow('wrong')
  })

  it('[R13] fails if a response is wrong or more than one in a thousand is unavailable', () => {
    const unavailable = (count: number) => Array.from({ length: count }, () => '503')

    expect(isAcceptable({ ...report, unavailable: unavailable(10) })).toBe(true)
    expect(isAcceptable({ ...report, unavailable: unavailable(11) })).toBe(false)
    expect(isAcceptable({ ...report, wrong: ['wrong state'] })).toBe(false)
    expect(isAcceptable({ ...report, correct: 0 })).toBe(false)
  })
})

function soak(...flags: string[]) {
  return runCommand(process.execPath, ['test/soak/run.ts', ...flags])
}
