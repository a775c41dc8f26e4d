import { login } from '../../../login.ts'

export const GET = (request: Request) => login.handler(request)
export const POST = GET
