-- Which kind of engine a warehouse runs in, by its id; null: the home engine, which has the account's own data.
alter table warehouses add column engine text;

-- Which engine remembers whether the change took effect; null: the home engine.
alter table catalog_changes add column engine text;

-- `statements.engine` is written before the statement runs, so that a write that was lost is asked of the engine that ran
-- it. Of those from before, and of those that no engine ran, it is null.
comment on column statements.engine is
  'The kind of engine that runs or ran it; null: none, or it was written before this was known, and the home engine ran it';
