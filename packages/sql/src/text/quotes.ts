/** What quotes and backslashes mean in a text, which its session decides; see `sql_mode` of other servers. */
export interface Quotes {
  /** In 'texts' a backslash takes the next character with it. */
  readonly escapes: boolean
  /** "This" is a text, and not a name. */
  readonly doubleIsText: boolean
  /** A comment begins at `#` too, and at `--` only before a blank; missing: as standard SQL has them. */
  readonly comments?: 'mysql'
}

/** As standard SQL reads them: a backslash is a character, and "this" is a name. */
export const STANDARD_QUOTES: Quotes = { escapes: false, doubleIsText: false }

export const areStandard = ({ escapes, doubleIsText }: Quotes): boolean => !escapes && !doubleIsText

/** A text that has none of these means the same, whatever the quotes do. */
export const dependsOnQuotes = (text: string): boolean => /["\\#]|--[^\s-]/.test(text)
