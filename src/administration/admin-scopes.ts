/** The scopes of `/admin/api`. */
export const ADMIN_SCOPES = [
  { name: 'admin:metrics', description: 'Read metrics and the state of this service.' },
  { name: 'admin:read', description: 'Read everything about this service and its users.' },
  {
    name: 'admin:support',
    description: 'Block, unblock and sign out users, revoke clients, remove accounts.',
  },
  { name: 'admin:write', description: 'Change clients, APIs, webhooks, users and keys.' },
  { name: 'admin:administrators', description: 'Change administrators.' },
] as const

export const ADMIN_SCOPE_NAMES = ADMIN_SCOPES.map(({ name }) => name)

export type AdminScope = (typeof ADMIN_SCOPE_NAMES)[number]

/** The scopes that are part of another one. */
const INCLUDED_IN: Partial<Record<AdminScope, AdminScope>> = {
  'admin:metrics': 'admin:read',
  'admin:support': 'admin:write',
}

/** The scopes of which one is enough where this one is required. */
export function sufficientScopes(required: AdminScope): AdminScope[] {
  const including = INCLUDED_IN[required]
  return including ? [required, including] : [required]
}

/** Whether someone with these scopes may do what requires this one. */
export function isGranted(required: AdminScope, scopes: readonly string[]): boolean {
  return sufficientScopes(required).some((scope) => scopes.includes(scope))
}
