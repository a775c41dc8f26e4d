/* The package's entry point `vestibule-auth/features`. */

export { auditExport } from './features/audit-export/feature.ts'
