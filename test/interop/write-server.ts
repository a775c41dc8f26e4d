import { writeRecipe } from './server-recipes.ts'

/** Writes a recipe of docs/server.md into the current folder, with the addresses in the environment. */

const { ISSUER = '', CLIENT_ID = '', APP_URL = '' } = process.env
const [, , heading = ''] = process.argv
writeRecipe(heading, '.', { issuer: ISSUER, clientId: CLIENT_ID, appUrl: APP_URL })
