import { styleText } from 'node:util'
import { adviceForProviderError } from '../src/features/admin/explain-outcome.ts'
import { ERROR_PAGES, type ErrorPage, findErrorPages } from '../src/providers/tiktok/error-pages.ts'
import { sanitizeForTerminal } from './sanitize-for-terminal.ts'

/** Prints one error page, given its error or its URL, or all of them. Returns the exit code. */
export function explainErrorPages(errorOrUrl: string | undefined, asJson: boolean): number {
  const pages = errorOrUrl === undefined ? ERROR_PAGES : findErrorPages(errorOrUrl)
  const isFound = pages.length > 0
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ pages }, null, 2)}\n`)
  } else if (isFound) {
    process.stdout.write(pages.map(formatErrorPage).join('\n'))
  } else {
    process.stdout.write(`${formatUnknownPage(errorOrUrl ?? '')}\n`)
  }
  return isFound ? 0 : 1
}

function formatErrorPage({ errorType, error, errCode, cause, fix }: ErrorPage): string {
  const details = errCode ? `${error}, ${errCode}` : error
  return `  ${styleText('bold', errorType)} (${details})\n    ${cause}\n    ${styleText('bold', 'Fix:')} ${fix}\n`
}

function formatUnknownPage(errorOrUrl: string): string {
  const errorTypes = [...new Set(ERROR_PAGES.map((page) => page.errorType))]
  const upstreamError = URL.parse(errorOrUrl)?.searchParams.get('error') ?? errorOrUrl
  const advice = adviceForProviderError({ upstreamError })
  const ofOthers = advice === undefined ? '' : ` At another provider: ${advice}`
  return sanitizeForTerminal(
    `No error page of TikTok is documented for ${errorOrUrl}. The documented errors are ${errorTypes.join(', ')}.${ofOthers}`,
  )
}
