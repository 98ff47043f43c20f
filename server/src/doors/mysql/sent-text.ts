/**
 * Some drivers leave zero bytes in the texts that they quote, where MySQL takes them as they are; others write a backslash
 * before the byte itself.
 */
export const withEscapedZeros = (sql: string): string =>
  sql.replaceAll(/(?<!\\)(\\*)\0/g, (_, before: string) => `${before}${before.length % 2 === 0 ? '\\' : ''}0`)

const NAME = '(?:\\w+|`[^`]+`)'
const OF_KEYS = new RegExp(
  `^\\s*/\\*!\\d{5,6}\\s+ALTER\\s+TABLE\\s+${NAME}(?:\\.${NAME})?\\s+(?:DISABLE|ENABLE)\\s+KEYS\\s*\\*/\\s*;?\\s*$`,
  'i',
)
const LONGEST_OF_KEYS = 1_000

/** Dumps write it around the rows of a table, for servers that keep keys apart from rows. There is nothing to do. */
export const isAboutKeys = (sql: string): boolean => sql.length <= LONGEST_OF_KEYS && OF_KEYS.test(sql)

const VIEW_OPTION = String.raw`ALGORITHM\s*=\s*\w+|DEFINER\s*=\s*[^\s@]+\s*@\s*\S+|SQL\s+SECURITY\s+DEFINER`
const VIEW_OPTIONS = new RegExp(
  `^(\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?)((?:(?:${VIEW_OPTION})\\s+)+)(?=VIEW\\b)`,
  'i',
)

/**
 * SHOW CREATE VIEW writes these words as MySQL does, and every view has them here. Blanks take their place when the text is
 * sent again, so that places in it stay the same.
 */
export const withoutViewOptions = (sql: string): string =>
  sql.replace(VIEW_OPTIONS, (_, create: string, options: string) => create + ' '.repeat(options.length))
