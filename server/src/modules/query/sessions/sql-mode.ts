import type { Quotes } from '@boathouse/sql'
import type { Words } from '../../../engines/engine/written.ts'
import { AppError } from '../../../kernel/app-error.ts'

const ANSI_QUOTES = 'ANSI_QUOTES'
const NO_ESCAPES = 'NO_BACKSLASH_ESCAPES'
/** Always so in the words of engines: `||` joins texts. */
const PIPES = 'PIPES_AS_CONCAT'

/** Those that ask for what is always so, or for what there is nothing of here. */
const NO_CHANGE = [
  'ERROR_FOR_DIVISION_BY_ZERO',
  'IGNORE_SPACE',
  'NO_AUTO_CREATE_USER',
  'NO_AUTO_VALUE_ON_ZERO',
  'NO_DIR_IN_CREATE',
  'NO_ENGINE_SUBSTITUTION',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ONLY_FULL_GROUP_BY',
  'STRICT_ALL_TABLES',
  'STRICT_TRANS_TABLES',
]
const MODES = [ANSI_QUOTES, NO_ESCAPES, PIPES, ...NO_CHANGE]

/** Names that stand for several. */
const COMPOUND: Readonly<Record<string, readonly string[]>> = {
  ANSI: [ANSI_QUOTES, PIPES, 'IGNORE_SPACE', 'ONLY_FULL_GROUP_BY'],
  TRADITIONAL: [
    'STRICT_TRANS_TABLES',
    'STRICT_ALL_TABLES',
    'NO_ZERO_IN_DATE',
    'NO_ZERO_DATE',
    'ERROR_FOR_DIVISION_BY_ZERO',
    'NO_ENGINE_SUBSTITUTION',
  ],
}

/** Standard SQL: a backslash is a character, and "this" is a name. */
export const STANDARD_MODE = [ANSI_QUOTES, NO_ESCAPES, PIPES].join(',')

/** As MySQL begins: "this" is a text, and a backslash escapes. */
export const MYSQL_MODE = [
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ONLY_FULL_GROUP_BY',
  'STRICT_TRANS_TABLES',
].join(',')

const unknownMode = (mode: string): AppError =>
  new AppError(
    'QueryFailed',
    `${mode} is not a supported mode. sql_mode takes a list of ${MODES.join(', ')}, or DEFAULT.`,
    { detail: 'wrong-value' },
  )

export const parseSqlMode = (value: string): string => parsedMode(value, [PIPES])

/** In MySQL's words `||` is OR, unless the mode says otherwise. */
export const parseMysqlMode = (value: string): string => parsedMode(value, [])

function parsedMode(value: string, always: readonly string[]): string {
  const words = value
    .split(',')
    .map((word) => word.trim().toUpperCase())
    .filter(Boolean)
  const modes = new Set([...words.flatMap((word) => COMPOUND[word] ?? [word]), ...always])
  for (const mode of modes) if (!MODES.includes(mode)) throw unknownMode(mode)
  return [...modes].sort().join(',')
}

export function quotesIn(sqlMode: string): Quotes {
  const modes = sqlMode.split(',')
  return { escapes: !modes.includes(NO_ESCAPES), doubleIsText: !modes.includes(ANSI_QUOTES) }
}

/** Whose words a text is in. `||` joins texts but where MySQL's mode does not say so: there it is OR. */
export function wordsIn(dialect: string | null, sqlMode: string | null): Words {
  if (dialect !== 'mysql') return 'engine'
  return sqlMode?.split(',').includes(PIPES) ? 'mysql with pipes' : 'mysql'
}
