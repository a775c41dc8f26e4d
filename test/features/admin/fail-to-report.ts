import { env } from 'cloudflare:workers'
import { sendCounts } from '../../../src/core/metrics/count.ts'

/** Reports what this isolate has counted to an object that does not accept it. */
export async function failToReport(): Promise<void> {
  const collectCounts = () => Promise.reject(new Error('The object is overloaded.'))
  await sendCounts(env, { features: [{ collectCounts }] })
}
