/**
 * Words that are marked and offered while typing. Only those that nearly always are what they seem: a column called
 * `name` or `value` must not look like a keyword.
 */
export const KEYWORDS = `
  select from where group by having order limit offset qualify window distinct all as on using join inner left right
  full outer cross natural lateral asof positional semi anti union intersect except with recursive materialized case
  when then else end and or not in is null like ilike similar between exists any some asc desc nulls first last over
  partition rows range unbounded preceding following current row filter within insert into values update set delete
  merge matched returning create replace temporary temp table view database schema catalog warehouse index sequence
  type macro function if drop alter add column rename to primary key foreign references unique check default
  constraint cascade restrict truncate comment use show describe desc explain analyze summarize pivot unpivot grant
  revoke role user suspend resume begin commit rollback transaction cast try_cast collate escape tablesample sample
  exclude interval generated always stored conflict do nothing tables views databases catalogs warehouses variables
  processlist refresh kill true false`

/** As they are offered. */
export const KEYWORD_LIST: readonly string[] = [...new Set(KEYWORDS.trim().split(/\s+/))]
