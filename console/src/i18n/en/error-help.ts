/** What to change when a statement fails, by what is the matter with it. `example` is SQL. */
export const errorHelp = {
  label: 'What you can do',
  'unexpected-word': {
    todo: 'The statement makes no sense from this word on. Look at what is before it: a comma, a parenthesis or a quote is often missing or too many. A keyword that is used as a name needs double quotes.',
    example: 'select "order" from sales',
  },
  unreadable: {
    todo: 'This form of the statement is not known here. The guide to SQL lists the forms of each statement of the service.',
  },
  'not-supported': {
    todo: 'The engine of this warehouse does not do this. Write it another way, or choose a warehouse with another engine.',
  },
  'missing-database': {
    todo: 'Look for the database in the tree of catalogs: the name may be written another way, or the database may be in another catalog. You see only those that you have a privilege on.',
    example: 'select * from catalog.database.table',
  },
  'missing-table': {
    todo: 'Look for the table in the tree of catalogs. If it is in another database than the one chosen above, write its database before it. You see only tables that you have a privilege on.',
    example: 'select * from database.table',
  },
  'missing-column': {
    todo: 'No table of FROM has this column. A text needs single quotes: double quotes are for names. A name that SELECT gives is not known in WHERE; put the query into WITH to use it there.',
    example: "select * from sales where region = 'North'",
  },
  'missing-function': {
    todo: 'There is no function of this name for values of these types. Look at the types of what you give it, and convert what has another one.',
    example: 'select sum(cast(amount as decimal(18, 2))) from sales',
  },
  'missing-variable': { todo: 'SHOW VARIABLES lists what can be set.', example: 'show variables' },
  'missing-prepared': {
    todo: 'PREPARE it on this connection first. Prepared statements end with their connection.',
  },
  exists: {
    todo: 'Choose another name, or say what is to become of the one that is there.',
    example: 'create or replace table sales as select …',
  },
  'ambiguous-column': {
    todo: 'Several tables of FROM have a column of this name. Write the table, or its alias, before it.',
    example: 'select s.id from sales s join regions r on r.id = s.region_id',
  },
  'not-grouped': {
    todo: 'Each group has one row, so a column must say which value of the group is meant. Add it to GROUP BY, or aggregate it.',
    example: 'select region, any_value(manager), sum(amount) from sales group by region',
  },
  'wrong-count': {
    todo: 'There must be one value for each column. Name the columns that you give values for.',
    example: "insert into regions (id, name) values (1, 'North')",
  },
  'several-rows': {
    todo: 'A query in place of a value may return one row only. Aggregate it, or compare with all of them by IN.',
    example: 'select * from sales where region_id in (select id from regions)',
  },
  'duplicate-key': {
    todo: 'There is a row with this key already. Leave out the new one or update the old one.',
    example: "insert into regions values (1, 'North') on conflict do nothing",
  },
  'not-null': {
    todo: 'This column takes no NULL. Give it a value, or a value in place of NULL.',
    example: "insert into regions select id, coalesce(name, 'unknown') from new_regions",
  },
  check: {
    todo: 'A value is outside of what the table allows. DESCRIBE shows the conditions of its columns.',
  },
  'foreign-key': { todo: 'The row that this one refers to does not exist. Insert that one first.' },
  'referenced-key': { todo: 'Other rows refer to this one. Delete or change those first.' },
  cast: {
    todo: 'A value cannot be read as this type. TRY_CAST gives NULL for such values, and shows you which they are.',
    example: 'select * from sales where try_cast(amount as double) is null',
  },
  'out-of-range': {
    todo: 'A value is too large or too small for its type. Convert to a wider type before you calculate.',
    example: 'select sum(cast(amount as decimal(38, 2))) from sales',
  },
  'division-by-zero': {
    todo: 'NULLIF makes NULL of zero, and what is divided by NULL is NULL.',
    example: 'select revenue / nullif(visits, 0) from sales',
  },
  'wrong-value': { todo: 'The message says which values this variable takes.' },
  conflict: { todo: 'Somebody else changed the same rows at the same time. Run it again.' },
  'failed-transaction': {
    todo: 'An earlier statement of this transaction failed. Run ROLLBACK, then begin again.',
    example: 'rollback',
  },
  'inside-transaction': {
    todo: 'This cannot be a part of a transaction. COMMIT or ROLLBACK first.',
    example: 'commit',
  },
  'rolled-back': { todo: 'Nothing of the transaction took effect. Run it again from its beginning.' },
  'read-only': { todo: 'This connection only reads.', example: 'set session transaction read write' },
  'disk-full': {
    todo: 'The service has no room left. Drop what you no longer need, and tell your administrator.',
  },
  NoPermission: {
    todo: 'The message names the privilege and the object. An administrator, or the owner of the object, can grant it to you or to one of your roles.',
    example: 'grant select on table database.table to role analyst',
  },
  StatementTimedOut: {
    todo: 'Read less: filter early, choose fewer columns, or aggregate first. Analyze shows where the time goes. You can also allow more time, in seconds.',
    example: 'set query_timeout = 1800',
  },
  WarehouseFull: {
    todo: 'Too many statements wait for this warehouse. Try again later, or choose another warehouse above.',
  },
  QuotaExceeded: { todo: 'The budget is spent. An administrator can raise it.' },
  resource: {
    todo: 'The warehouse has too little memory for this. Filter before you join, choose fewer columns, sort less, or use a larger warehouse.',
  },
}
