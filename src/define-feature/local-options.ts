import * as z from 'zod/mini'
import { shortName } from '../foundation/values/schemas.ts'
import { styleSchema } from '../provider-interface/provider-schema.ts'

/** The schemas of the options that all local providers have. */
export const LOCAL_OPTIONS = {
  id: z.string(),
  name: shortName,
  type: z.string(),
  style: z.optional(styleSchema),
  method: z.unknown(),
}
