import { login } from '../../../login'

export const GET = (request: Request) => login.handler(request)
export const POST = GET
