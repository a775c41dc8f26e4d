import { en } from '../../src/core/messages/en.ts'
import type { Language } from '../../src/core/messages/languages.ts'
import { createMessages, type Messages, withTexts } from '../../src/core/messages/messages.ts'
import { Layout } from '../../src/core/pages/layout.tsx'
import { filledButtonRules, providerRules } from '../../src/core/pages/stylesheet.ts'
import { brandCss, type ResolvedTheme } from '../../src/core/pages/theme.ts'
import type { AllTexts, PageState } from './page-state.ts'
import { FEW, findProvider } from './providers.ts'

interface StatePageProps {
  state: PageState
  messages: Messages
  theme: ResolvedTheme
  /** The languages that the page offers. */
  languages: readonly Language[]
}

/** The document of a page in one state, as the service would send it. */
export function StatePage({ state, theme, languages, ...props }: StatePageProps) {
  const {
    name,
    title,
    render,
    app,
    isWide = false,
    isLeaving = false,
    header,
    heading,
    isEnglishOnly,
  } = state
  const messages = withTexts<AllTexts>(isEnglishOnly ? createMessages('en', en) : props.messages)
  return (
    <Layout
      title={title(messages)}
      messages={messages}
      theme={theme}
      serviceName="login.example"
      app={app}
      languageSwitch={
        isEnglishOnly
          ? undefined
          : {
              languages,
              action: `/states/${name}`,
              fields: [['callbackUrl', 'https://shop.example/']],
              parameter: 'language',
            }
      }
      outcome={state.outcome}
      isWide={isWide}
      isLeaving={isLeaving}
      nonce="states"
      css={stateCss(state)}
      script={undefined}
      header={header}
      heading={heading}
    >
      {render(messages)}
    </Layout>
  )
}

/** The rules besides those of all pages. */
export function stateCss({ providers = FEW, css = '', brandColor }: PageState): string {
  const styled = [...providers, 'email', 'credentials'].flatMap((id) => findProvider(id) ?? [])
  const filled = providers.length === 1 ? filledButtonRules(styled) : ''
  return providerRules(styled) + filled + css + (brandColor ? brandCss(brandColor) : '')
}
