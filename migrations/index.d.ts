/** The folder with the migrations of the database, for tests that create it: `readD1Migrations(migrationsPath)`. */
export declare const migrationsPath: string
