-- Loads that programs send over HTTP stand beside those of files, under their label. A label is used once for as long as
-- it is kept, unless its load failed.
create sequence stream_transactions;
alter table load_tasks
  add column label text,
  -- Of the request that loads it, which several small loads may share; null until it is about to be sent.
  add column request_id text,
  add column transaction_id bigint,
  add column rows_total bigint,
  add column rows_unselected bigint;
create unique index load_tasks_label
  on load_tasks (account_id, catalog_id, lower(database_name collate "C"), label)
  where label is not null and state not in ('failed', 'cancelled');
create index load_tasks_labels_ended on load_tasks (ended_at) where label is not null and ended_at is not null;
