import { Layout } from '../../src/pages/layout.tsx'
import type { Messages } from '../../src/pages/messages/en.ts'
import type { Language } from '../../src/pages/messages/languages.ts'
import { brandCss, type ResolvedTheme } from '../../src/pages/theme.ts'
import type { PageState } from './states.tsx'

interface StatePageProps {
  state: PageState
  messages: Messages
  theme: ResolvedTheme
  /** The languages that the page offers. */
  languages: readonly Language[]
}

/** The document of a page in one state, as the service would send it. */
export function StatePage({ state, messages, theme, languages }: StatePageProps) {
  const { name, title, render, app, isWide = false } = state
  return (
    <Layout
      title={title(messages)}
      messages={messages}
      theme={theme}
      serviceName="login.example"
      app={app}
      languageSwitch={{
        languages,
        action: `/states/${name}`,
        fields: [['callbackUrl', 'https://shop.example/']],
        parameter: 'language',
      }}
      isWide={isWide}
      nonce="states"
      css={stateCss(state)}
      script={undefined}
      header={undefined}
    >
      {render(messages)}
    </Layout>
  )
}

/** The rules that only this page needs. */
export function stateCss({ css = '', brandColor }: PageState): string {
  return css + (brandColor ? brandCss(brandColor) : '')
}
