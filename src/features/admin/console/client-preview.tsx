import type { AppContext } from '../../../http/app-env.ts'
import { parseForm } from '../../../operations/console/registration-form.tsx'
import { respondWithPage } from '../../../pages/page-response.tsx'
import { clientSchema, toClient } from '../../../registration-schemas/clients.ts'
import { SignInPage } from '../../../signin/sign-in-page.tsx'
import { createClientContent } from '../../../signin/sign-in-page-content.ts'

/** What the sign-in page shows of a client. */
const SHOWN_FIELDS = ['client_name', 'logo_uri', 'brand_color'] as const

/** Shows the sign-in page with the entered look, inside the form, where nothing on it can be used. */
export async function previewClient(c: AppContext): Promise<Response> {
  const entered = parseForm(clientSchema, await c.req.formData())
  // What is not valid yet is left out.
  const look = SHOWN_FIELDS.flatMap((name) => {
    const { data } = clientSchema.shape[name].safeParse(entered[name])
    return data === undefined ? [] : [[name, data]]
  })
  const { isDevelopment } = c.get('config')
  const registration = clientSchema.parse({ client_id: 'app', ...Object.fromEntries(look) })
  const client = toClient(registration, isDevelopment)
  const { messages, choices, parts } = await createClientContent(c, client, {
    params: new URLSearchParams(),
    marksLastUsed: false,
    mustConfirm: false,
    accounts: undefined,
  })
  return respondWithPage(
    c,
    <SignInPage messages={messages} choices={choices} parts={parts} browserUrl={undefined} />,
    {
      title: messages.t('signIn.titleFor', { app: client.client_name }),
      client,
      frame: 'contained',
      images: choices.map(({ logo }) => logo),
    },
  )
}
