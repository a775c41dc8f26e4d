import { login } from './login.ts'

export const loader = ({ request }: { request: Request }) => login.handler(request)
export const action = loader
