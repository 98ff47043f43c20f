-- Whether a column gets a wider type where a value does not fit the one that was found in the beginning of its file,
-- and the columns that did; null: none, or nobody can say.
alter table load_tasks
  add column widens boolean not null default true,
  add column widened jsonb;
