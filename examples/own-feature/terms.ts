import { html } from 'hono/html'
import { defineFeature } from 'vestibule-auth/features'

/** With another number, all users are asked again. */
const VERSION = 1

/** Users accept each version of the terms once, before they are signed in. */
export const terms = defineFeature({
  id: 'terms',
  step: {
    version: VERSION,
    async required({ records }) {
      return (await records.get('accepted')) === VERSION ? undefined : '/terms'
    },
  },
  pages: {
    '/terms': {
      isStep: true,
      show: () => ({
        title: 'Terms of service',
        content: html`<p>Read our <a href="https://example.com/terms">terms of service</a>.</p>`,
        button: 'Accept',
      }),
      submit: ({ records }) => records.update('accepted', () => ({ value: VERSION })),
    },
  },
})
