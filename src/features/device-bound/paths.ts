export const REGISTRATION_PATH = '/api/auth/device-bound/registration'
export const REFRESH_PATH = '/api/auth/device-bound/refresh'
