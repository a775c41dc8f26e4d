import { Hono } from 'hono'
import { respondWithError } from './errors.ts'
import { LoginPage } from './login-page.tsx'
import { currentPersona, selectablePersonas } from './persona-cookie.ts'
import { ConfirmPage, DonePage, phonePath, ScanPage } from './phone-pages.tsx'
import type { StandInEnv } from './platform.ts'
import { decideLogin, findQrLogin, ScanError, scanCode } from './qr-scan.ts'

const PATH = phonePath()

/**
 * The platform's mobile app as web pages: scans a QR code and asks the user before logging them in.
 */
export const phone = new Hono<StandInEnv>()
  .get(PATH, (c) => {
    const persona = currentPersona(c)
    const link = c.req.query('link')
    if (persona !== undefined) return c.html(<ScanPage persona={persona} link={link} />)
    return c.html(<LoginPage personas={selectablePersonas(c)} place={phonePath(link)} />)
  })
  .post(`${PATH}/scan`, async (c) => {
    const persona = currentPersona(c)
    if (persona === undefined) return c.redirect(PATH, 303)

    const { link = '' } = await c.req.parseBody<{ link?: string }>()
    const { ticket } = scanCode(c.get('platform'), persona, link)
    return c.redirect(`${PATH}/confirm?${new URLSearchParams({ ticket })}`, 303)
  })
  .get(`${PATH}/confirm`, (c) => {
    const platform = c.get('platform')
    const persona = currentPersona(c)
    const login = findQrLogin(platform, c.req.query('ticket') ?? '')
    if (!persona || !login?.isScannedBy(persona.handle, platform.now())) return c.redirect(PATH)
    return c.html(<ConfirmPage persona={persona} login={login} />)
  })
  .post(`${PATH}/confirm`, async (c) => {
    const platform = c.get('platform')
    const persona = currentPersona(c)
    const form = await c.req.parseBody({ all: true })
    const login = findQrLogin(platform, String(form['ticket'] ?? ''))
    if (persona === undefined || login === undefined) return c.redirect(PATH, 303)

    const isAllowed = form['decision'] === 'allow'
    const scopes = isAllowed ? [form['scope'] ?? []].flat().map(String) : 'none'
    decideLogin(platform, login, { persona, scopes })
    return c.html(<DonePage app={login.request.app} isAllowed={isAllowed} />)
  })
  .onError(async (error, c) => {
    const persona = currentPersona(c)
    if (!(error instanceof ScanError) || persona === undefined) return respondWithError(error, c)

    const { link = '' } = await c.req.parseBody<{ link?: string }>()
    return c.html(<ScanPage persona={persona} problem={error.message} link={link} />)
  })
