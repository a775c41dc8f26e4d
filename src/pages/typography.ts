/**
 * Fonts of the usual operating systems, in the order Apple, Windows, Linux and Android. Without them,
 * some systems use the first installed font that has the characters, such as Chinese shapes for
 * Japanese text.
 */
const FONTS: Record<string, string> = {
  ar: "'Geeza Pro', 'Segoe UI', 'Noto Sans Arabic'",
  hi: "'Kohinoor Devanagari', 'Nirmala UI', 'Noto Sans Devanagari'",
  ja: "'Hiragino Sans', 'Yu Gothic UI', Meiryo, 'Noto Sans CJK JP', 'Noto Sans JP'",
  ko: "'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans CJK KR', 'Noto Sans KR'",
  'zh-Hans': "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC'",
}

/**
 * Where lines may end. In Korean between words. In Japanese between phrases in headings and buttons, which are short, and
 * otherwise anywhere but before small kana and punctuation; what follows a name stays on one line if it fits, for which the
 * account page needs room.
 */
const LINE_BREAKS: Record<string, string> = {
  ja: 'body{line-break:strict}h1,h2,a,button{word-break:auto-phrase}.after-name{display:inline-block}main>div.row>.grow{flex-basis:18rem}',
  ko: 'body{word-break:keep-all}',
}

/** The generic families of CSS, which have a font for every character and so end a list. */
const GENERIC_FAMILY = /,\s*((?:ui-)?(?:sans-)?serif|ui-rounded|(?:ui-)?monospace|system-ui)\s*$/

/** The rules that the language of a page needs. The fonts of a theme keep their precedence. */
export function languageCss(language: string, themeFont: string): string {
  const fonts = FONTS[language]
  const fontRule = fonts ? `body{font-family:${insertFonts(themeFont, fonts)}}` : ''
  return fontRule + (LINE_BREAKS[language] ?? '')
}

function insertFonts(themeFont: string, fonts: string): string {
  const generic = themeFont.match(GENERIC_FAMILY)?.[1]
  if (!generic) return `${themeFont}, ${fonts}`
  return `${themeFont.replace(GENERIC_FAMILY, '')}, ${fonts}, ${generic}`
}
