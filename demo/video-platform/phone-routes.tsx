import { Hono } from 'hono'
import { answerError } from './errors.ts'
import { readForm } from './form.ts'
import { LoginPage } from './login-page.tsx'
import { choosablePersonas, currentPersona } from './persona-cookie.ts'
import { decide, findQrLogin, ScanError, scan } from './phone.ts'
import { ConfirmPage, DonePage, ScanPage } from './phone-pages.tsx'
import type { StandInEnv } from './platform.ts'

const HERE = '/v2/auth/phone'

/** The platform's app on a phone, played by pages: it scans a code, and asks before it logs anyone in. */
export const phone = new Hono<StandInEnv>()
  .get(HERE, (c) => {
    const persona = currentPersona(c)
    if (persona !== undefined) return c.html(<ScanPage persona={persona} />)
    return c.html(<LoginPage personas={choosablePersonas(c)} place={HERE} />)
  })
  .post(`${HERE}/scan`, async (c) => {
    const persona = currentPersona(c)
    if (persona === undefined) return c.redirect(HERE, 303)
    const link = (await readForm(c)).get('link') ?? ''
    const { ticket } = scan(c.get('platform'), persona, link)
    return c.redirect(`${HERE}/confirm?${new URLSearchParams({ ticket })}`, 303)
  })
  .get(`${HERE}/confirm`, (c) => {
    const platform = c.get('platform')
    const persona = currentPersona(c)
    const login = findQrLogin(platform, c.req.query('ticket') ?? '')
    if (!persona || !login?.isScannedBy(persona.handle, platform.now())) return c.redirect(HERE)
    return c.html(<ConfirmPage persona={persona} login={login} />)
  })
  .post(`${HERE}/confirm`, async (c) => {
    const platform = c.get('platform')
    const persona = currentPersona(c)
    const form = await readForm(c)
    const login = findQrLogin(platform, form.get('ticket') ?? '')
    if (persona === undefined || login === undefined) return c.redirect(HERE, 303)

    const isAllowed = form.get('decision') === 'allow'
    decide(platform, login, { persona, scopes: isAllowed ? form.getAll('scope') : 'none' })
    return c.html(<DonePage app={login.request.app} isAllowed={isAllowed} />)
  })
  .onError(async (error, c) => {
    const persona = currentPersona(c)
    if (!(error instanceof ScanError) || persona === undefined) return answerError(error, c)
    const link = (await readForm(c)).get('link') ?? ''
    return c.html(<ScanPage persona={persona} problem={error.message} link={link} />)
  })
