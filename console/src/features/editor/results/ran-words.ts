import { t } from '../../../i18n/texts.ts'

/** Enough to tell statements apart; comments before them say nothing. */
const FIRST_CHARACTERS = 24
export const firstWords = (sql: string, most = FIRST_CHARACTERS): string =>
  sql
    .slice(0, 2_000)
    .replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .trim()

const NAME = /"((?:[^"]|"")*)"/g
/** As the tree writes it, with all names quoted. */
const FROM_TREE = /^(SELECT \* FROM|DESCRIBE|SHOW CREATE [A-Z ]+) ((?:"(?:[^"]|"")*"\.?)+)(?: LIMIT (\d+))?$/
const MOST_CHARACTERS = 60

/** What a result is of, in a line: of what the tree runs, the object by its name. */
export function ranWords(sql: string): string {
  const [, verb, path = '', limit] = FROM_TREE.exec(sql) ?? []
  if (verb === undefined) return t('editor.result.of', { name: firstWords(sql, MOST_CHARACTERS) })
  const name = [...path.matchAll(NAME)].map(([, one = '']) => one.replaceAll('""', '"')).join('.')
  if (limit === undefined) return t('editor.result.of', { name: `${verb} ${name}` })
  return t('editor.result.firstOf', { shown: limit, name })
}
