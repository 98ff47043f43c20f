-- What a cluster was about to write to the lake of its account, noted before it began: the table says later whether it did.
create table lake_writes (
  query_id text primary key,
  account_id text not null references accounts on delete cascade,
  warehouse_id uuid not null,
  -- The cluster's own name of the statement, which Iceberg keeps with what it writes.
  remote_id text not null,
  database text not null,
  -- Null: the database itself.
  name text,
  -- It leaves a snapshot of the table, which names it.
  leaves_snapshot boolean not null,
  -- The file that described the table; null: there was none.
  metadata_before text,
  begun_at timestamptz not null default now()
);
create index lake_writes_old on lake_writes (account_id, begun_at);
