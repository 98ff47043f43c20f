-- What becomes of the rows of a table that is there: they stay, all of them are replaced, or those with the same key, which
-- are columns of the table.
alter table load_tasks
  add column writes text not null default 'append' check (writes in ('append', 'replace', 'upsert')),
  add column keys jsonb;
