import { createOperations } from '../../../src/features/admin/operations/operations.ts'
import { declared } from '../../deployment.ts'

/** Every operation of the tested deployment. */
export const operations = createOperations(declared.features)
