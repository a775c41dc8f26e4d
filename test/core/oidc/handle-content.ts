import { env } from 'cloudflare:workers'
import { type OpenedHandle, openHandle } from '../../../src/core/grants/handle.ts'
import { readConfig } from '../../deployment.ts'

/**
 * What a refresh token contains. Sealing is randomised, so two copies of the same token differ as
 * text.
 */
export function handleContent(refreshToken = ''): Promise<OpenedHandle | undefined> {
  return openHandle(readConfig(env), 'refresh', refreshToken)
}
