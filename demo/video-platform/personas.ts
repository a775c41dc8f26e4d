import * as z from 'zod/mini'

/** A person of the stand-in; what is left out here is left out of the answers. */
export const persona = z.object({
  /** Names the person everywhere in the stand-in, and never changes. */
  handle: z.string().check(z.regex(/^[a-z0-9-]{1,24}$/)),
  /** One sentence on what choosing this person shows. */
  purpose: z.string(),
  displayName: z.string(),
  /** The `username` field, which a real person may change. */
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

/** Fills in what a persona did not say with what an ordinary person has. */
export function completePersona(given: Partial<Persona> & { handle: string }): Persona {
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

const FOUR_KILOBYTES = 4096

export const PERSONAS: readonly Persona[] = [
  completePersona({
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
  completePersona({
    handle: 'noah',
    purpose: 'A second ordinary person, for seeing two accounts side by side.',
    displayName: 'Noah Adeyemi',
  }),
  completePersona({
    handle: 'uma',
    purpose: 'Has no union_id, so only the open_id tells who she is.',
    displayName: 'Uma Castell',
    hasUnionId: false,
  }),
  completePersona({
    handle: 'emil',
    purpose: 'Empty display name, empty bio, no picture.',
    displayName: '',
    bio: '',
    hasAvatar: false,
  }),
  completePersona({
    handle: 'lena',
    purpose: 'Has a bio of 4 KB.',
    displayName: 'Lena Vogt',
    bio: 'All about my garden. '.repeat(FOUR_KILOBYTES).slice(0, FOUR_KILOBYTES),
  }),
  completePersona({
    handle: 'zoe',
    purpose: 'A display name made of markup, emoji and right-to-left letters.',
    displayName: '<script>alert("zoe")</script> 👩🏽‍🚀 \u202Eזואי & "زوي"',
    bio: '"><img src=x onerror=alert(1)> {{7*7}}',
  }),
  completePersona({
    handle: 'bruno',
    purpose: 'A banned account: the platform lets it log in nowhere.',
    displayName: 'Bruno Keller',
    standing: 'banned',
  }),
  completePersona({
    handle: 'kim',
    purpose: 'Under age: not eligible for logging in elsewhere.',
    displayName: 'Kim Park',
    standing: 'under-age',
  }),
  completePersona({
    handle: 'tova',
    purpose: 'No target user of the sandbox, so the sandbox app refuses her.',
    displayName: 'Tova Brandt',
  }),
]

/** The one persona that was never invited to the sandbox. */
export const UNINVITED = 'tova'
