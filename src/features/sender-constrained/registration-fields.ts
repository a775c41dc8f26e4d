import * as z from 'zod/mini'
import { advanced, field } from '../../administration/registration-fields.ts'
import { fieldReader } from '../../core/registration-schemas/deployment-schemas.ts'

export const CLIENT_FIELDS = {
  profile: field(
    advanced('Other'),
    'Profile',
    'fapi2: it must meet the FAPI 2.0 Security Profile, and requires pushed requests, DPoP and PKCE. Needs senderConstrained().',
    z.optional(z.enum(['fapi2'])),
  ),
  require_pushed_authorization_requests: field(
    advanced('Other'),
    'Require pushed requests',
    'Its authorization requests must be pushed (RFC 9126). Needs senderConstrained().',
    z._default(z.boolean(), false),
  ),
  dpop_bound_access_tokens: field(
    advanced('Other'),
    'Require DPoP',
    'Its tokens must be bound to a key (RFC 9449). Needs senderConstrained().',
    z._default(z.boolean(), false),
  ),
}

export const API_FIELDS = {
  dpop_bound_access_tokens_required: field(
    'Access tokens',
    'Require DPoP',
    'Tokens for it must be bound to a key of the client (RFC 9449). Needs senderConstrained().',
    z._default(z.boolean(), false),
  ),
}

export const readClientFields = fieldReader(CLIENT_FIELDS)

export const readApiFields = fieldReader(API_FIELDS)
