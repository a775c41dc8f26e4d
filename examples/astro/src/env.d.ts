declare namespace App {
  interface Locals {
    auth: import('vestibule-auth/server').RenewedToken
  }
}
