import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../core/http/app-env.ts'
import type { OperationDescription } from '../operation-description.ts'
import { mayUse, recordDenied } from './authorization.ts'
import { sectionOf } from './console-parts.tsx'
import { consolePage } from './console-response.tsx'

/** Lets administrators pass whose role allows an operation. The attempts of others are recorded. */
export function requireRoleFor(operation: OperationDescription) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (mayUse(c, operation)) return next()
    const administrator = c.get('administrator')
    if (administrator) recordDenied(c, administrator.id)
    return consolePage(
      c,
      { section: sectionOf(operation), title: 'Not allowed', trail: [], status: 403 },
      <p>Your role, {administrator?.role}, does not allow this. Ask an owner to do it.</p>,
    )
  })
}
