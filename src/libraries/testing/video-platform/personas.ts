import * as z from 'zod/mini'

/** A test user of the stand-in. */
export const persona = z.object({
  /** Identifies the user in the stand-in. It never changes. */
  handle: z.string().check(z.regex(/^[a-z0-9-]{1,24}$/)),
  /** One sentence on what this persona is for. */
  purpose: z.string(),
  displayName: z.string(),
  /** The `username` field, which users of the real platform may change. */
  username: z.string(),
  bio: z.optional(z.string()),
  verified: z.boolean(),
  followers: z.int(),
  following: z.int(),
  likes: z.int(),
  videos: z.int(),
  hasAvatar: z.boolean(),
  hasUnionId: z.boolean(),
  standing: z.enum(['good', 'banned', 'under-age', 'deleted']),
})

export type Persona = z.infer<typeof persona>

/** Creates a persona, with the values of an ordinary user where none are given. */
export function createPersona(given: Partial<Persona> & { handle: string }): Persona {
  return {
    purpose: 'Added for this session.',
    displayName: given.handle,
    username: given.handle,
    bio: 'I make short videos.',
    verified: false,
    followers: 128,
    following: 64,
    likes: 1024,
    videos: 16,
    hasAvatar: true,
    hasUnionId: true,
    standing: 'good',
    ...given,
  }
}

const LONG_BIO_LENGTH = 4096

/** The one persona that is not a target user of the sandbox. */
export const NON_TARGET_USER = 'tova'

export const PERSONAS: readonly Persona[] = [
  createPersona({
    handle: 'mia',
    purpose: 'Everything present: name, picture, bio, counts, verified.',
    displayName: 'Mia Lindqvist',
    bio: 'Ceramics, slow mornings and one very small dog.',
    verified: true,
    followers: 12_840,
    following: 312,
    likes: 98_211,
    videos: 147,
  }),
  createPersona({
    handle: 'noah',
    purpose: 'A second ordinary user, to see two accounts side by side.',
    displayName: 'Noah Adeyemi',
  }),
  createPersona({
    handle: 'uma',
    purpose: 'Has no union_id: only the open_id identifies her.',
    displayName: 'Uma Castell',
    hasUnionId: false,
  }),
  createPersona({
    handle: 'emil',
    purpose: 'Empty display name, empty bio, no picture.',
    displayName: '',
    bio: '',
    hasAvatar: false,
  }),
  createPersona({
    handle: 'lena',
    purpose: 'Has a bio of 4 KB.',
    displayName: 'Lena Vogt',
    bio: 'All about my garden. '.repeat(LONG_BIO_LENGTH).slice(0, LONG_BIO_LENGTH),
  }),
  createPersona({
    handle: 'zoe',
    purpose: 'A display name made of markup, emoji and right-to-left letters.',
    displayName: '<script>alert("zoe")</script> 👩🏽‍🚀 \u202Eזואי & "زوي"',
    bio: '"><img src=x onerror=alert(1)> {{7*7}}',
  }),
  createPersona({
    handle: 'bruno',
    purpose: 'A banned account, which cannot log in to any app.',
    displayName: 'Bruno Keller',
    standing: 'banned',
  }),
  createPersona({
    handle: 'kim',
    purpose: 'Under age: not eligible to log in to other apps.',
    displayName: 'Kim Park',
    standing: 'under-age',
  }),
  createPersona({
    handle: NON_TARGET_USER,
    purpose: 'Not a target user of the sandbox: the sandbox app rejects her.',
    displayName: 'Tova Brandt',
  }),
]
