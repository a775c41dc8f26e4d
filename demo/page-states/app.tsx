import { Hono } from 'hono'
import { raw } from 'hono/html'
import type { Theme } from '../../src/core/config/theme.ts'
import { chooseLanguage } from '../../src/core/messages/choose.ts'
import { loadCatalogue } from '../../src/core/messages/languages.ts'
import type { Messages } from '../../src/core/messages/messages.ts'
import { resolveTheme } from '../../src/core/pages/theme.ts'
import { FEATURES, LANGUAGES } from './languages.ts'
import type { PageState } from './page-state.ts'
import { StatePage, stateCss } from './state-page.tsx'
import { STATES } from './states.tsx'

/** The themes that pages can be shown in, to see what a deployment can change. */
const THEMES: Record<string, Theme> = {
  default: {},
  square: { brandColor: '#7a1f4b', background: '#f6efe9', radius: '0', font: 'Georgia, serif' },
  round: { brandColor: { light: '#006d5b', dark: '#5fe0c4' }, radius: '1.5rem' },
  yellow: { brandColor: '#ff0', background: '#fff' },
}

const WIDTHS = ['320', '360', '768', '1280']

/** Every page in every state, and a list of them with the switches. */
export const app = new Hono()
  .get('/', (c) => c.html(<Index query={c.req.query()} />))
  .get('/texts', async (c) => c.text(await allTexts(c.req.query('language'))))
  .get('/states', (c) => c.json(STATES.map(({ name }) => name)))
  .get('/states/:name', async (c) => {
    const state = STATES.find(({ name }) => name === c.req.param('name'))
    if (!state) return c.notFound()
    const messages = await loadMessages(c.req.query('language'))
    return c.html(<State state={state} messages={messages} query={c.req.query()} />)
  })

interface Query {
  language?: string
  scheme?: string
  theme?: string
  width?: string
}

interface StateProps {
  state: PageState
  messages: Messages
  query: Query
}

function State({ state, messages, query }: StateProps) {
  const theme = resolveTheme(THEMES[query.theme ?? 'default'] ?? {})
  return (
    <StatePage
      // Already part of `css`, in the chosen scheme.
      state={{
        ...state,
        brandColor: undefined,
        providers: [],
        css: withScheme(stateCss(state), query.scheme),
      }}
      messages={messages}
      theme={{ ...theme, stylesheet: withScheme(theme.stylesheet, query.scheme) }}
      languages={[...LANGUAGES.values()]}
    />
  )
}

/** Shows a page in a colour scheme that is not the browser's. */
function withScheme(css: string, scheme: string | undefined): string {
  if (scheme !== 'light' && scheme !== 'dark') return css
  return css
    .replaceAll(/\(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? 'all' : 'not all')
    .replace('color-scheme: light dark', `color-scheme: ${scheme}`)
}

function Index({ query }: { query: Query }) {
  const { language = 'en', scheme = 'light', theme = 'default', width = '360' } = query
  const selected: Required<Query> = { language, scheme, theme, width }
  const params = new URLSearchParams({ language, scheme, theme })
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Every page in every state</title>
          <link rel="icon" href="data:," />
          <style>{raw(INDEX_CSS)}</style>
        </head>
        <body>
          <header>
            <h1>Every page in every state</h1>
            <form>
              <Switch name="language" values={tags()} selected={selected} />
              <Switch name="scheme" values={['light', 'dark']} selected={selected} />
              <Switch name="theme" values={Object.keys(THEMES)} selected={selected} />
              <Switch name="width" values={WIDTHS} selected={selected} />
              <button type="submit">Show</button>
              <a href={`/texts?language=${language}`}>All texts</a>
            </form>
          </header>
          <main>
            {STATES.map(({ name }) => (
              <figure>
                <figcaption>
                  <a href={`/states/${name}?${params}`}>{name}</a>
                </figcaption>
                <iframe
                  title={name}
                  src={`/states/${name}?${params}`}
                  width={width}
                  height="640"
                  loading="lazy"
                />
              </figure>
            ))}
          </main>
        </body>
      </html>
    </>
  )
}

interface SwitchProps {
  name: keyof Query
  values: readonly string[]
  selected: Query
}

function Switch({ name, values, selected }: SwitchProps) {
  return (
    <label>
      {name}{' '}
      <select name={name}>
        {values.map((value) => (
          <option selected={selected[name] === value}>{value}</option>
        ))}
      </select>
    </label>
  )
}

function tags(): string[] {
  return Array.from(LANGUAGES.values(), ({ tag }) => tag)
}

function loadMessages(tag = 'en'): Promise<Messages> {
  return chooseLanguage(LANGUAGES, tag).loadMessages()
}

/** All texts of a language, one per line, to be read as one list. */
async function allTexts(tag = 'en'): Promise<string> {
  const catalogue = await loadCatalogue(chooseLanguage(LANGUAGES, tag).tag, FEATURES)
  const lines = Object.entries(catalogue).map(
    ([key, text]) => `${key}: ${typeof text === 'string' ? text : JSON.stringify(text)}`,
  )
  return lines.join('\n')
}

const INDEX_CSS = `
body { margin: 1rem; font-family: system-ui, sans-serif; background: #ddd; color: #111; }
form, main { display: flex; flex-wrap: wrap; gap: 1rem; margin-block: 1rem; }
figure { margin: 0; }
figcaption { padding-block: .25rem; }
iframe { border: 1px solid #888; background: #fff; resize: both; }
a { color: #003; }
`
