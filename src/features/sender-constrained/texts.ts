import type { Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  'errors.request_uri_invalid.title': 'The request of the app is not valid',
  'errors.request_uri_invalid.text':
    'The request_uri of the request is invalid: it has expired, or was issued to another app. Go back to the app and start again. If it happens again, please report this to the people who run the app.',
} as const satisfies Record<string, Text>
