import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../config/app-env.ts'
import { mayUse, recordDenied } from '../authorization.ts'
import { OPERATIONS, type OperationId } from '../operation-table.ts'
import { consolePage } from './console-page.tsx'
import { sectionOf } from './console-parts.tsx'

/** Lets administrators pass whose role allows an operation. The attempts of others are recorded. */
export function requireRoleFor(operationId: OperationId) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (mayUse(c, operationId)) return next()
    const administrator = c.get('administrator')
    if (administrator) recordDenied(c, administrator.id)
    const section = sectionOf(OPERATIONS[operationId])
    return consolePage(
      c,
      { section, title: 'Not allowed', trail: [], status: 403 },
      <p>Your role, {administrator?.role}, does not allow this. Ask an owner to do it.</p>,
    )
  })
}
