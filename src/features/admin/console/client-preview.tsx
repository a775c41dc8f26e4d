import { parseForm } from '../../../administration/console/registration-form.tsx'
import { clientStore } from '../../../administration/registrations/client-store.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import { respondWithPage } from '../../../core/pages/page-response.tsx'
import { clientSchema, toClient } from '../../../core/registration-schemas/clients.ts'
import { SignInPage } from '../../../core/signin/sign-in-page.tsx'
import { createClientContent } from '../../../core/signin/sign-in-page-content.ts'
import { SignInError } from '../../../foundation/errors/sign-in-error.ts'

/** What the sign-in page shows of a client. */
const SHOWN_FIELDS = ['client_name', 'logo_uri', 'brand_color'] as const

/** Shows the sign-in page with the entered look, inside the form. */
export async function previewClient(c: AppContext): Promise<Response> {
  return showSignInPage(c, 'app', parseForm(clientSchema(), await c.req.formData()))
}

/** Shows the sign-in page of a client, inside its page. */
export async function previewRegistration(c: AppContext): Promise<Response> {
  const record = await clientStore.read(c.env, c.get('config'), c.req.param('id') ?? '')
  if (!record) throw new SignInError('not_found')
  return showSignInPage(c, record.id, record.registration)
}

/** Nothing on it can be used. */
async function showSignInPage(
  c: AppContext,
  client_id: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Response> {
  // What is not valid yet is left out.
  const schema = clientSchema()
  const look = SHOWN_FIELDS.flatMap((name) => {
    const { data } = schema.shape[name].safeParse(fields[name])
    return data === undefined ? [] : [[name, data]]
  })
  const registration = schema.parse({ client_id, ...Object.fromEntries(look) })
  const client = toClient(registration, c.get('config'))
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
