import { fileURLToPath } from 'node:url'

/** The folder with the migrations of the database, for tests that create it: `readD1Migrations(migrationsPath)`. */
export const migrationsPath = fileURLToPath(new URL('.', import.meta.url))
