import { expect, it } from 'vitest'
import failures from '../../docs/failures.md?raw'
import { requests, undescribedRoutes } from './requests/all-requests.ts'
import { nameOf, type Row, runRow } from './run-matrix.ts'
import { setUpDeployment } from './set-up.ts'
import { updateTable } from './table.ts'

/** Far more than it takes on a busy machine. */
const TIMEOUT = 20 * 60_000 // milliseconds

it('describes a request for every route of the service', () => {
  expect(undescribedRoutes).toEqual([])
})

it(
  'responds to every request, while any part fails, as docs/failures.md says',
  async () => {
    await setUpDeployment()
    const rows: Row[] = []
    for (const request of requests) rows.push(await runRow(request))

    const problems = rows.flatMap(({ request, problems }) =>
      problems.map((problem) => `${nameOf(request)}: ${problem}`),
    )
    expect.soft(problems).toEqual([])
    await expect(updateTable(failures, rows)).toMatchFileSnapshot('../../docs/failures.md')
  },
  TIMEOUT,
)
