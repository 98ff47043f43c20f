import { sqlFunctions } from './sql-functions.ts'

/** What helps while a text is written; it comes with the first use of it. */
export const writing = {
  functions: sqlFunctions,
  kinds: {
    alias: 'alias',
    catalog: 'catalog',
    column: 'column',
    cte: 'CTE',
    database: 'database',
    function: 'function',
    keyword: 'keyword',
    materialized: 'materialized view',
    snippet: 'snippet',
    table: 'table',
    view: 'view',
  },
  format: {
    unread: 'The statement on line {line} could not be formatted and was not changed. Check it for errors.',
    unchanged: 'The text is formatted already.',
    tooLong: 'Texts of more than {limit} characters cannot be formatted at once. Select a part of it.',
  },
}
