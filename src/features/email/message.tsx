import { raw } from 'hono/html'
import type { Announcement } from '../../core/account/feature-members.ts'
import { isRightToLeft } from '../../core/messages/right-to-left.ts'
import { formatUnit } from '../../core/pages/format.ts'
import { replaceControlCharacters } from '../../foundation/values/control-characters.ts'
import type { EmailContent } from '../../provider-interface/local-types.ts'
import type { Brand } from './brand.ts'
import type { EmailMessages } from './texts.ts'

interface MessageOptions {
  messages: EmailMessages
  /** The app that the user signs in to, or the host of this service. */
  app: string
  /** Whether the address is added to the account of a signed-in user. */
  isLinking: boolean
  /** The host of this service, where the code is entered. */
  host: string
  code: string
  url: string
  /** How long the code is valid, in seconds. */
  validFor: number
  /** The browser and the place of the request, as far as they are known. */
  origin: string
  brand: Brand
}

/** Writes the message with the code and the link, as text and as HTML. */
export function composeMessage(options: MessageOptions): EmailContent {
  const { messages, isLinking, code, url, validFor, brand } = options
  const { language } = messages
  const [app, host, origin] = [oneLine(options.app), oneLine(options.host), oneLine(options.origin)]
  const parts: MessageParts = {
    language,
    brand,
    sender: isLinking ? host : app,
    code,
    url,
    lead: isLinking
      ? messages.t('email.message.linkLead', { host })
      : messages.t('email.message.lead', { app }),
    link: messages.t('email.message.link'),
    button: messages.t(isLinking ? 'email.address.linkConfirm' : 'email.message.button'),
    notes: [
      messages.t('email.message.validity', { duration: formatMinutes(validFor, language) }),
      messages.t('email.message.onlyAt', { host }),
      ...(origin ? [messages.t('email.message.requestedFrom', { origin })] : []),
      messages.t('email.message.ignore'),
    ],
  }
  const subject = isLinking
    ? messages.t('email.message.linkSubject', { host })
    : messages.t('email.message.subject', { app })
  // Notifications show the beginning of the subject.
  return { subject: `${code} · ${subject}`, text: toText(parts), html: toHtml(parts) }
}

interface AnnouncementOptions extends Announcement {
  messages: EmailMessages
  /** The host of this service. */
  host: string
  /** The account page. */
  url: string
  /** How many changes had no message of their own since the previous one. */
  others: number
  brand: Brand
}

/** Writes the message that a way to sign in was added or removed. */
export function composeAnnouncement(options: AnnouncementOptions): EmailContent {
  // Names of accounts are stored without control characters.
  const { messages, kind, method, url, others, brand } = options
  const [host, origin] = [oneLine(options.host), oneLine(options.origin)]
  const parts: MessageParts = {
    language: messages.language,
    brand,
    sender: host,
    url,
    lead: messages.t(`email.changed.${kind}`, { host, method }),
    link: messages.t('email.changed.warning'),
    button: messages.t('actions.goToAccount'),
    notes: [
      ...(others > 0 ? [messages.t('email.changed.others', { count: others })] : []),
      ...(origin ? [messages.t('email.message.requestedFrom', { origin })] : []),
    ],
  }
  const subject = messages.t('email.changed.subject', { host })
  return { subject, text: toText(parts), html: toHtml(parts) }
}

interface MessageParts {
  language: string
  brand: Brand
  /** The name next to the logo: of the app, or the host of this service. */
  sender: string
  code?: string
  url: string
  lead: string
  link: string
  button: string
  notes: readonly string[]
}

/** Line breaks and other control characters could add headers or paragraphs to a message. */
function oneLine(text: string): string {
  return replaceControlCharacters(text, ' ').trim()
}

/** Such as "10 minutes". */
function formatMinutes(seconds: number, language: string): string {
  return formatUnit(Math.max(1, Math.round(seconds / 60)), 'minute', language)
}

function toText({ lead, code, link, url, notes }: MessageParts): string {
  return [lead, ...(code ? [code] : []), link, url, ...notes, ''].join('\n\n')
}

/**
 * A few paragraphs that every mail program shows, also in dark colours. Nothing is loaded but the
 * logo.
 */
function toHtml(parts: MessageParts): string {
  const { language, brand, sender, lead, code, link, url, button, notes } = parts
  const [firstNote] = notes
  const page = (
    <>
      {raw('<!doctype html>')}
      <html lang={language} dir={isRightToLeft(language) ? 'rtl' : 'ltr'}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>{lead}</title>
        </head>
        <body style={BODY}>
          {/* Lists of messages show it after the subject, which has the code and the app. */}
          <div style={PREHEADER}>{firstNote ?? link}</div>
          <p style={SENDER}>
            <SenderMark sender={sender} brand={brand} />
            {sender}
          </p>
          <p>{lead}</p>
          {code && <p style={CODE}>{code}</p>}
          <p>{link}</p>
          <p>
            <a href={url} style={`${BUTTON};background:${brand.color};color:${brand.textColor}`}>
              {button}
            </a>
          </p>
          {notes.map((note) => (
            <p style={NOTE}>{note}</p>
          ))}
        </body>
      </html>
    </>
  )
  return String(page)
}

/** The logo, or the first letter of the name in the colour of the brand. */
function SenderMark({ sender, brand }: Pick<MessageParts, 'sender' | 'brand'>) {
  const { logo, color, textColor } = brand
  if (logo?.startsWith('https:')) return <img src={logo} alt="" height="40" style={LOGO} />
  const [letter = ''] = sender
  return (
    <span aria-hidden="true" style={`${INITIAL};background:${color};color:${textColor}`}>
      {letter.toLocaleUpperCase()}
    </span>
  )
}

const BODY =
  'margin:0 auto;padding:24px;max-width:32em;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;line-break:strict'
const PREHEADER = 'display:none;max-height:0;overflow:hidden;mso-hide:all'
const SENDER = 'margin:0 0 24px;font-size:18px;font-weight:600'
const LOGO =
  'height:40px;max-width:50%;border-radius:8px;vertical-align:middle;margin-inline-end:12px'
const INITIAL =
  'display:inline-block;width:40px;height:40px;border-radius:8px;line-height:40px;text-align:center;vertical-align:middle;margin-inline-end:12px'
const CODE = 'margin:16px 0;font-family:monospace;font-size:32px;font-weight:700;letter-spacing:4px'
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:10px;font-weight:600;text-decoration:none'
// Not a colour, because mail programs choose the background.
const NOTE = 'margin:8px 0;font-size:13px;opacity:.7'
