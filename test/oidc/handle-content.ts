import { env } from 'cloudflare:workers'
import { readConfig } from '../../src/config/config.ts'
import { type OpenedHandle, openHandle } from '../../src/grants/handle.ts'

/** What a refresh token contains. Sealing is randomised, so two copies of the same token differ as text. */
export function handleContent(refreshToken = ''): Promise<OpenedHandle | undefined> {
  return openHandle(readConfig(env), 'refresh', refreshToken)
}
