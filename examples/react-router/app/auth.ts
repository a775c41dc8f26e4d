import { login } from './login'

export const loader = ({ request }: { request: Request }) => login.handler(request)
export const action = loader
