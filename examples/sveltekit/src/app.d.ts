declare global {
  namespace App {
    interface Locals {
      auth: import('vestibule-auth/server').RenewedToken
    }
  }
}

export {}
